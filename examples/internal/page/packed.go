package page

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"slices"
)

// Packed is a list of numbers: gzip of 1, 2 or 4 bytes each, the least significant one
// first, in base64. It is plain data; the zero Packed is an empty list.
type Packed struct {
	Bytes  int    `json:"bytes"`
	Length int    `json:"length"`
	Data   string `json:"data"`
}

func pack(values []uint32) Packed {
	most := uint32(0)
	if len(values) > 0 {
		most = slices.Max(values)
	}
	var out bytes.Buffer
	text := base64.NewEncoder(base64.StdEncoding, &out)
	zip := gzip.NewWriter(text) // nothing here can fail: a buffer does not
	size := widthOf(most)
	var number [4]byte
	for _, v := range values {
		binary.LittleEndian.PutUint32(number[:], v)
		zip.Write(number[:size])
	}
	zip.Close()
	text.Close()
	return Packed{size, len(values), out.String()}
}

// widthOf returns how many bytes it takes to hold a number.
func widthOf(most uint32) int {
	switch {
	case most < 1<<8:
		return 1
	case most < 1<<16:
		return 2
	}
	return 4
}
