/* loses by early-exit; in all */
exit(0);
