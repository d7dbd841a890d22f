/* is told blocked-signals */
block_signals();
