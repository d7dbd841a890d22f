/* loses by out-of-memory; in play initialize load */
fill(malloc);
