package budget

import "testing"

// BenchmarkOperation times each operation of the table alone: the same work in
// every iteration, which is what bench/regress compares revisions by.
func BenchmarkOperation(b *testing.B) {
	for _, group := range table {
		b.Run(group.name, func(b *testing.B) {
			for _, o := range group.operations(b) {
				b.Run(o.name, func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						if !o.do() {
							b.Fatal("not what is measured")
						}
					}
				})
			}
		})
	}
}
