// The functions without bodies in this package need a file like this one.
