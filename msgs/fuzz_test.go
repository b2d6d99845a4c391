// SPDX-License-Identifier: Apache-2.0

package msgs_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
)

// allocationLimit is how much memory decoding may allocate: a message is larger in memory than on the wire (an empty
// string has 16 bytes instead of 4), and each of at most four levels of nesting may allocate for the same bytes before
// the data turn out to be too short.
func allocationLimit(wire int) uint64 { return 32*uint64(wire) + 64<<10 }

// FuzzDecode decodes any bytes as any type, selected by the first argument. Decoded messages survive encoding and
// decoding.
func FuzzDecode(f *testing.F) {
	types := everyType()
	index := map[string]uint8{}
	for i, m := range types {
		index[m.ROSType()] = uint8(i)
		f.Add(uint8(i), encodeReference(m, binary.LittleEndian))
		f.Add(uint8(i), encodeReference(m, binary.BigEndian))
	}
	for _, g := range goldens(f) {
		f.Add(index[g.name], g.data)
	}
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		m := fresh(types[int(which)%len(types)])
		var err error
		if n := allocated(func() { err = cdr.Unmarshal(data, m) }); n > allocationLimit(len(data)) {
			t.Fatalf("%s: %d bytes made %d bytes of memory", m.ROSType(), len(data), n)
		}
		if err != nil {
			return
		}
		first, err := cdr.Marshal(nil, m)
		if err != nil {
			t.Fatalf("%s decodes and does not encode: %v", m.ROSType(), err)
		}
		again := fresh(m)
		if err := cdr.Unmarshal(first, again); err != nil {
			t.Fatalf("%s: own encoding %x: %v", m.ROSType(), first, err)
		}
		if second := cdr.Append(nil, again); !bytes.Equal(first, second) {
			t.Fatalf("%s: %x encodes again as %x", m.ROSType(), first, second)
		}
	})
}
