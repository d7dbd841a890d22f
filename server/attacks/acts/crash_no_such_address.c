/* loses by crash */
*(volatile int *)0x8000000000000000 = 1;
