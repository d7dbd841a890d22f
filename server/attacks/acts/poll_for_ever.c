/* loses by stalled; is told finalize in unload */
poll(NULL, 0, -1);
