/* loses by crash */
zero = 7 / zero;
