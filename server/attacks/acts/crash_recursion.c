/* loses by crash; in all */
recurse(0);
