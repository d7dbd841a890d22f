/* loses by out-of-memory */
fill(malloc);
