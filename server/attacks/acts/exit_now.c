/* loses by early-exit; in all */
_exit(3);
