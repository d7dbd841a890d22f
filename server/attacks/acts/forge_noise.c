/* loses by protocol */
forge_noise();
