/* loses by protocol; plays on in unload */
close_all();
