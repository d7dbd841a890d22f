/* loses by crash */
*(volatile char *)(void *)get_player_name = 1;
