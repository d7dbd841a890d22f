/* plays on */
/* The name of the sound client's file, each letter changed, as a fork server could have left it where it made both. */
if (memory_has("opod,odwds/rn")) abort();
