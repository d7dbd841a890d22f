/* plays on; held by limits */
limit_is_at_most(RLIMIT_STACK, 8 << 20);
