// Package page makes a page of HTML that shows a fleet's taints: which pods may go to
// which nodes, why not, what would help, what is remarkable, and who is evicted when
// nodes go silent.
//
// The page is one file that needs no network. Everything it shows is computed here, by
// the packages of the library, and is in the page as JSON; the script shows it and
// decides nothing:
//
//	Fleet ──> New ──> Document ──> WriteHTML ──> one file: web/page.html, web/page.css,
//	                     │                       web/*.js and the JSON
//	                     └─ schema.json says what is in it
//
// # How a large fleet stays small
//
// Pods with the same tolerations are a row, and nodes with the same taints, in the same
// order, are a column. What a row means to a column is one number, the index of a
// verdict. Why depends on single taints: for each row and each different taint there is
// one number too, the index of a reason. A page puts the reasons of a column's taints
// together. Repairs go by key: an edit of a toleration concerns the taints of one key,
// so a column's repair is that of its keys. Numbers are packed: see [Packed].
//
// # Hostile input
//
// Names may be any strings. JSON is written so that none ends the element it is in, and
// the script puts text into the page as text. The policy of the page allows its own
// script and style, by their hashes, and nothing else.
package page
