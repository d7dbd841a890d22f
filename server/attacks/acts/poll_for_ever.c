/* loses by stalled; plays on in unload */
poll(NULL, 0, -1);
