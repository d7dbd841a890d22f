/* loses by crash */
abort();
