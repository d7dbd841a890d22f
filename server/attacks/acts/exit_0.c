/* loses by early-exit; plays on in unload */
exit(0);
