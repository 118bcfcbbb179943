package matchtest

// Laws is the number of laws.
var Laws = len(laws)
