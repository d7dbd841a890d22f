/* loses by out-of-memory */
fill(map_private);
