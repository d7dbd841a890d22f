/* loses by stalled */
int ends[2]; char byte; (void)byte; (void)ends; for (;;) pause();
