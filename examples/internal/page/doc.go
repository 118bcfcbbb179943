// Package page makes a page of HTML that says what is wrong with the taints and tolerations of
// a cluster today: which pods are pending and why, who is evicted and when, which workloads
// which pools accept, why, and what would help, what a change would do, and what an outage.
//
// Everything is said here, by the commands of tolero and the packages of the library, and
// written as HTML by web/page.html. The script shows one view at a time, copies, and asks:
//
//	Input ──> source ──> document ──> web/page.html, web/page.css, web/page.js ──> one file
//	             │
//	             └─ Live answers plans, pods and outages in the same way, over HTTP
//
// File by file: fleet.go puts pods into rows and nodes into columns; grid.go asks what the
// nodes of a column mean to the pods of a row, and why.go explains it; answers.go asks the
// commands of tolero, so that the page says what they say; pools.go, plan.go and outage.go
// are what can be tried.
//
// # How a large fleet stays small
//
// A matrix has the heaviest rows and columns, those in trouble first, and says how many there
// are besides. Cells that the same tolerations and requirements decide share their explanation.
//
// # Hostile input
//
// Names may be any strings: html/template escapes them. The policy of the page allows its own
// script and style, by their hashes, and nothing else.
package page
