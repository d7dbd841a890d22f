/* loses by protocol; plays on in unload */
forge_noise();
