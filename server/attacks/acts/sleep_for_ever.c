/* loses by stalled; plays on in unload */
sleep(1000);
