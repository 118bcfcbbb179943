// Package target has what fuzz targets share, so that nearly every input leads to their
// end. An input at which a target gives up, with t.Skip or for want of bytes, compares
// nothing.
package target

import (
	"encoding/binary"
	"flag"
	"math/rand"
	"reflect"
	"testing"
	"testing/quick"

	"pgregory.net/rapid"
)

// Fuzz is f.Fuzz, after the last f.Add. As a test it adds random inputs, the same every
// time, and fails if more than a tenth of all inputs do not reach the end of target.
func Fuzz(f *testing.F, target any) {
	if flag.Lookup("test.fuzz").Value.String() != "" {
		f.Fuzz(target)
		return
	}
	run, runs, finished := reflect.ValueOf(target), 0, 0
	addRandom(f, run.Type())
	f.Fuzz(reflect.MakeFunc(run.Type(), func(args []reflect.Value) []reflect.Value {
		runs++
		run.Call(args)
		finished++
		return nil
	}).Interface())
	if !f.Failed() && finished*10 < runs*9 {
		f.Errorf("%d of %d inputs reach the end of the target", finished, runs)
	}
}

// inputs is how many random inputs each target gets, or a fifth with -short.
const inputs = 100

// addRandom adds random arguments for the parameters of target that follow *testing.T.
func addRandom(f *testing.F, target reflect.Type) {
	random, n := rand.New(rand.NewSource(1)), inputs
	if testing.Short() {
		n /= 5
	}
	for range n {
		var args []any
		for i := 1; i < target.NumIn(); i++ {
			arg, _ := quick.Value(target.In(i), random)
			if arg.Kind() == reflect.String || arg.Kind() == reflect.Slice {
				data := make([]byte, random.Intn(1<<random.Intn(11)))
				random.Read(data)
				arg = reflect.ValueOf(data).Convert(target.In(i))
			}
			args = append(args, arg.Interface())
		}
		f.Add(args...)
	}
}

// length is enough for thousands of draws.
const length = 1 << 16

// Rapid returns the target that checks a property. The first eight bytes of an input seed
// random bytes and what follows replaces their beginning: like [rapid.MakeFuzz] it reads
// what it draws from its input, eight bytes at a time, and it goes on when they run out.
func Rapid(property func(*rapid.T)) func(*testing.T, []byte) {
	check := rapid.MakeFuzz(property)
	return func(t *testing.T, data []byte) {
		var seed [8]byte
		data = data[copy(seed[:], data):]
		draws := make([]byte, max(length, len(data)))
		rand.New(rand.NewSource(int64(binary.LittleEndian.Uint64(seed[:])))).Read(draws)
		copy(draws, data)
		check(t, draws)
	}
}
