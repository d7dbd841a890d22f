/* loses by stalled; plays on in unload */
int ends[2]; char byte; (void)byte; (void)ends; for (;;) pause();
