// Package browser tests the page of tolero in a real Chromium, without a window. It has
// tests only, in a module of its own, so that nobody else needs the driver.
//
//	go test ./...                                       # skips where no Chromium is found
//	CHROMIUM=/path AXE=/path/axe.min.js FONTS=dir SHOTS=dir go test -v ./...
//
// With AXE, the path of axe-core's script, accessibility is checked too. With FONTS, a
// folder with DejaVu's fonts, pictures are compared, not only their words. With SHOTS,
// screenshots and a printed page are written to the folder.
package browser
