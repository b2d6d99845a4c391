// SPDX-License-Identifier: Apache-2.0

package intern

import (
	"bytes"
	"fmt"
	"testing"
	"unsafe"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// TestEqualTextsShareMemory: a text seen before is returned again without an allocation, and modifying the argument
// later has no effect.
func TestEqualTextsShareMemory(t *testing.T) {
	table := New()
	raw := []byte("typehash=RIHS01_00;")
	b, s := table.Bytes(raw), table.String(string(raw))
	for range 2 {
		if again := table.Bytes(bytes.Clone(raw)); unsafe.SliceData(again) != unsafe.SliceData(b) || &again[0] == &raw[0] {
			t.Error("bytes are not shared, or are those passed")
		}
		if again := table.String(string(raw)); unsafe.StringData(again) != unsafe.StringData(s) {
			t.Error("strings are not shared")
		}
	}
	if n := testing.AllocsPerRun(10, func() { table.Bytes(raw); table.String(s) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	raw[0] = 'x'
	if b[0] != 't' {
		t.Error("the copy has changed")
	}
	if table.Bytes(nil) != nil || table.Bytes([]byte{}) == nil || len(table.Bytes([]byte{})) != 0 || table.String("") != "" {
		t.Error("nothing is not nothing")
	}
}

// TestTableIsBounded: an unlimited number of texts is returned unchanged.
func TestTableIsBounded(t *testing.T) {
	table := New()
	long := make([]byte, maxLen+1)
	if b := table.Bytes(long); unsafe.SliceData(b) == unsafe.SliceData(table.Bytes(long)) || len(b) != len(long) {
		t.Error("a long text is remembered")
	}
	for i := range 10 * slots {
		if s := fmt.Sprint(i); table.String(s) != s || string(table.Bytes([]byte(s))) != s {
			t.Fatalf("%q became another text", s)
		}
	}
}

// TestEqualQoSShareMemory: endpoints with equal QoS get one copy of it, whatever others were seen between them; more
// different ones than the table holds are returned unchanged.
func TestEqualQoSShareMemory(t *testing.T) {
	table := New()
	q := wire.DefaultWriterQoS()
	q.Partition = []string{"a"}
	shared := table.QoS(&q)
	for range 2 {
		again := q
		again.Partition = []string{"a"}
		if table.QoS(&again) != shared {
			t.Error("not shared")
		}
		again.Durability = wire.TransientLocal
		if other := table.QoS(&again); other == shared || other.Durability != wire.TransientLocal {
			t.Error("different QoS share memory")
		}
	}
	if n := testing.AllocsPerRun(10, func() { table.QoS(&q) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if q.Partition[0] = "b"; shared.Partition[0] != "a" {
		t.Error("the copy has changed")
	}
	for depth := range int32(3 * qosSlots) {
		q.Depth = depth
		if got := table.QoS(&q); !got.Equal(&q) {
			t.Fatalf("depth %d became %d", depth, got.Depth)
		}
	}
}
