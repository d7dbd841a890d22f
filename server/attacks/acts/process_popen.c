/* plays on */
if (popen("true", "r")) {}
