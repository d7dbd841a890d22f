/* loses by crash */
((void (*)(void))nowhere)();
