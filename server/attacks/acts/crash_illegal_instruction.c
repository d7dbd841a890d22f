/* loses by crash; in all */
__builtin_trap();
