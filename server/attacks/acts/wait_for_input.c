/* loses by stalled; is told finalize in unload */
int ends[2]; char byte; (void)byte; (void)ends; for (;;) pause();
