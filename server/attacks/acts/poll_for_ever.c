/* loses by stalled */
poll(NULL, 0, -1);
