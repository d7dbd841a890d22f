/* loses by crash; in all */
static char data[16]; ((void (*)(void))(void *)data)();
