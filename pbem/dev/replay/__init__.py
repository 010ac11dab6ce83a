"""Published games driven through the real desk, with the hands, draws and dice of their texts; each value compared."""
