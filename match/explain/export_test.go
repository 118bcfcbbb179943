package explain

// DifferenceOf is for the oracle.
var DifferenceOf = differenceOf
