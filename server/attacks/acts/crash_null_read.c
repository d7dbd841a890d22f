/* loses by crash; in all */
zero = *nowhere;
