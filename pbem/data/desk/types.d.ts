// What the desk and its engine leave on the page, for each other and for whoever tries them.

interface Window { pbemEngine?: Row; pbemDesk?: Row }
