/* loses by crash */
*nowhere = 1;
