/* loses by stalled; in play initialize */
sleep(1000);
