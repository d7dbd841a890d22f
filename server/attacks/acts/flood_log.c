/* plays on */
for (int i = 0; i < 4000; i++) agon_log("key", "a value of some length, to be said again and again");
