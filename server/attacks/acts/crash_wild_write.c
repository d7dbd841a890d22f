/* loses by crash */
*(volatile int *)0x123456789000 = 1;
