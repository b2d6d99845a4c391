// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"testing"
)

func TestBuilder(t *testing.T) {
	b := NewBuilder(1472)
	b.Begin(testPrefix)
	if !bytes.Equal(b.Bytes(), message(t)) || b.Len() != 20 || b.Remaining() != 1452 || b.count() != 0 {
		t.Fatalf("% x", b.Bytes())
	}
	ts := TimeOf(TimeZero.Time())
	ok := b.InfoDst(otherPrefix) && b.InfoDst(otherPrefix) && b.InfoTS(ts) && b.InfoTS(ts)
	if !ok || b.Len() != 20+16+12 || b.count() != 0 {
		t.Errorf("%d bytes, %v", b.Len(), ok)
	}
	for i, tc := range subCases() {
		before := b.Len()
		if !addTo(b, tc.want) || b.Len() != before+tc.want.Size() || b.count() != i+1 {
			t.Errorf("%s: %d bytes, count %d", tc.name, b.Len(), b.count())
		}
	}
	c, err := collect(b.Bytes())
	if err != nil || len(c.got) != len(subCases()) || c.last.DestPrefix != otherPrefix || c.last.Timestamp != ts {
		t.Errorf("%d handled, %v, %+v", len(c.got), err, c.last)
	}
}

// addTo calls the method of b for the kind of m.
func addTo(b *Builder, m appender) bool {
	switch m := m.(type) {
	case *Data:
		return b.Data(m)
	case *DataFrag:
		return b.DataFrag(m)
	case *Heartbeat:
		return b.Heartbeat(m)
	case *HeartbeatFrag:
		return b.HeartbeatFrag(m)
	case *AckNack:
		return b.AckNack(m)
	case *NackFrag:
		return b.NackFrag(m)
	case *Gap:
		return b.Gap(m)
	}
	return false
}

// TestBuilderFull: a submessage that does not fit, by one byte, is not added.
func TestBuilderFull(t *testing.T) {
	for _, tc := range subCases() {
		for _, spare := range []int{-1, 0} {
			b := NewBuilder(HeaderSize + tc.want.Size() + spare)
			b.Begin(testPrefix)
			if fits := addTo(b, tc.want); fits != (spare == 0) {
				t.Errorf("%s with %d to spare: %v", tc.name, spare, fits)
			}
			if spare < 0 && (b.Len() != HeaderSize || b.count() != 0) {
				t.Errorf("%s: %d bytes left behind", tc.name, b.Len()-HeaderSize)
			}
		}
	}
	b := NewBuilder(HeaderSize + 15)
	b.Begin(testPrefix)
	if b.InfoDst(otherPrefix) || b.Len() != HeaderSize || !b.InfoTS(1) || b.InfoTS(2) || b.Len() != HeaderSize+12 {
		t.Errorf("%d bytes", b.Len())
	}
	if !b.InfoTS(1) || b.InfoTS(timeInvalid) != (b.Remaining() >= 4) {
		t.Error("INFO_TS was not remembered")
	}
}

// TestBuilderRollback: a rolled back INFO_TS or INFO_DST is sent again.
func TestBuilderRollback(t *testing.T) {
	b := NewBuilder(1472)
	b.Begin(testPrefix)
	h := heartbeatCases[0].want.(*Heartbeat)
	b.Heartbeat(h)
	mark, want := b.mark(), bytes.Clone(b.Bytes())
	for range 2 {
		if !b.InfoDst(otherPrefix) || !b.InfoTS(7) || !b.Heartbeat(h) || b.count() != 2 {
			t.Error("does not fit")
		}
		if b.Len() != len(want)+16+12+32 {
			t.Errorf("%d bytes", b.Len())
		}
		b.rollback(mark)
		if !bytes.Equal(b.Bytes(), want) || b.count() != 1 {
			t.Errorf("% x", b.Bytes())
		}
	}
	b.Begin(otherPrefix)
	if b.Len() != HeaderSize || b.count() != 0 || !b.InfoTS(7) || b.Len() != HeaderSize+12 {
		t.Error("Begin left something behind")
	}
}

func TestBuilderLimit(t *testing.T) {
	for limit, want := range map[int]int{-5: HeaderSize, 1472: 1472, 1 << 20: MaxMessageSize} {
		if got := NewBuilder(limit).Limit(); got != want {
			t.Errorf("limit %d becomes %d", limit, got)
		}
	}
}

func TestBuilderAllocs(t *testing.T) {
	b := NewBuilder(1472)
	payload := make([]byte, 100)
	n := testing.AllocsPerRun(100, func() {
		b.Begin(testPrefix)
		b.InfoDst(otherPrefix)
		b.InfoTS(5)
		for sn := SequenceNumber(1); b.Data(&Data{Writer: 0x203, SN: sn, Kind: PayloadData, Payload: payload}); sn++ {
		}
		b.Heartbeat(&Heartbeat{Writer: 0x203, First: 1, Last: 3, Count: 1})
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}
