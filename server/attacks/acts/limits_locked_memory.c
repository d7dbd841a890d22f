/* plays on; held by limits */
limit_is_at_most(RLIMIT_MEMLOCK, 0);
