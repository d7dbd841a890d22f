/* loses by crash */
__builtin_trap();
