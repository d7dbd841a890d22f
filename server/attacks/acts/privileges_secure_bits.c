/* plays on; held by seccomp privileges */
int bits = prctl(PR_GET_SECUREBITS, 0, 0, 0, 0); if (bits >= 0 && (bits & 0xef) != 0xef) abort();
