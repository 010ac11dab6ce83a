// What the lesson leaves on the page, for whoever tries it.

interface Window { pbemLesson?: Row }
