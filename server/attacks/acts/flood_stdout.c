/* is told capped-output */
flood();
