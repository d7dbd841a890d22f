/* loses by crash; in all */
zero = 7 / zero;
