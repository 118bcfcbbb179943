// Package evict decides.
package evict
