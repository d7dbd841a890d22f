/* loses by early-exit; plays on in unload */
_exit(3);
