/* loses by crash; in all */
((void (*)(void))nowhere)();
