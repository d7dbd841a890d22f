/* loses by crash */
static char data[16]; ((void (*)(void))(void *)data)();
