/* loses by crash; in all */
abort();
