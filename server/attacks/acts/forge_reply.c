/* loses by protocol; plays on in unload */
forge_reply(99, 4, "\1\2\3", 12);
