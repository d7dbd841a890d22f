/* loses by crash; in all */
*(volatile char *)(void *)get_player_name = 1;
