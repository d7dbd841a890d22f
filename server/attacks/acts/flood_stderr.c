/* is told capped-output */
for (int i = 0; i < 20000; i++) fprintf(stderr, "line %d of many\n", i);
