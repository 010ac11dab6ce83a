"""What a reader may know and how it is said: views, sentences, reports.

Reads templates and positions; writes nothing.
"""
