/* loses by crash; in all */
*nowhere = 1;
