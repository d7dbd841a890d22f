/* plays on; held by limits */
limit_is_at_most(RLIMIT_AS, (16ull << 30) + (128 << 20));
