/* loses by crash */
recurse(0);
