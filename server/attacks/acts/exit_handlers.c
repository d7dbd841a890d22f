/* loses by early-exit; is told capped-output in unload */
atexit(flood); exit(0);
