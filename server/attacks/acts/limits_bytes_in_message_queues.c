/* plays on; held by limits */
limit_is_at_most(RLIMIT_MSGQUEUE, 0);
