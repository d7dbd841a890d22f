/* loses by stalled; is told finalize in unload */
sleep(1000);
