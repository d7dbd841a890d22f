/* plays on */
printf("\033[2J\033]0;title\007\r\n"); fflush(stdout);
