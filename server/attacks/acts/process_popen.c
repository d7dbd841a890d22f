/* plays on; in load initialize name play */
if (popen("true", "r")) {}
