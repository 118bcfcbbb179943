package explain

// MismatchOf is for the oracle.
var MismatchOf = mismatchOf
