/* loses by protocol; in all */
close_all();
