/* loses by crash */
zero = *nowhere;
