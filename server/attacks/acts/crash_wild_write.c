/* loses by crash; in all */
*(volatile int *)0x123456789000 = 1;
