/* is told blocked-signals; plays on in thread handler finalize unload */
block_signals();
