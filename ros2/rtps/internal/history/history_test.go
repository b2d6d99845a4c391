// SPDX-License-Identifier: Apache-2.0

package history

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// TestHistoryAgainstModel compares the ring with a map.
func TestHistoryAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(1, 20).Draw(t, "limit")
		h := New(limit, nil)
		model := map[wire.SequenceNumber]byte{}
		next := wire.SequenceNumber(1)
		for i := range rapid.IntRange(1, 100).Draw(t, "operations") {
			if rapid.IntRange(0, 3).Draw(t, "kind") == 0 {
				sn := wire.SequenceNumber(rapid.Int64Range(0, int64(next)+1).Draw(t, "sn"))
				h.Remove(sn)
				delete(model, sn)
			} else {
				if h.Full() {
					delete(model, h.first)
				}
				c := h.Blank()
				c.SetPayload([]byte{byte(i)})
				h.Push(c)
				model[next] = byte(i)
				next++
			}
			for sn := wire.SequenceNumber(0); sn <= next; sn++ {
				c := h.Get(sn)
				if _, want := model[sn]; want != (c != nil) || want && (c.SN != sn || c.Payload(0)[0] != model[sn]) {
					t.Fatalf("sample %d: %v, model %v", sn, c, model)
				}
			}
			if h.next != next || h.first < next && h.Get(h.first) == nil {
				t.Fatalf("first %d next %d", h.first, h.next)
			}
		}
	})
}

// TestChangeInUse: a sample overwritten while it is being sent keeps its bytes until it is released.
func TestChangeInUse(t *testing.T) {
	h := New(1, nil)
	c := h.Blank()
	c.SetPayload([]byte{1})
	h.Push(c)
	c.Use()
	for i := range 3 {
		n := h.Blank()
		if n == c {
			t.Fatal("buffer used twice")
		}
		n.SetPayload([]byte{byte(2 + i)})
		h.Push(n)
	}
	if c.Payload(0)[0] != 1 {
		t.Error("bytes changed")
	}
	h.Release(c)
	if !slices.Contains(h.pool, c) {
		t.Error("not used again")
	}
}

func TestVariantPayloads(t *testing.T) {
	var c Change
	if c.Payload(0) != nil {
		t.Error("payload of an empty change")
	}
	c.SetPayloads([]byte{1}, []byte{2, 2})
	for variant, want := range map[int]int{-1: 1, 0: 1, 1: 2, 7: 2} {
		if got := len(c.Payload(variant)); got != want {
			t.Errorf("variant %d has %d bytes", variant, got)
		}
	}
	c.SetPayload([]byte{3})
	if got := c.Payload(1); len(got) != 1 || got[0] != 3 {
		t.Errorf("got %v", got)
	}
}

// TestReusedChangesAreEmpty: a reused change contains nothing of its earlier sample.
func TestReusedChangesAreEmpty(t *testing.T) {
	for name, fill := range map[string]func(*Change){
		"plain":    func(c *Change) { c.Kind = wire.PayloadData },
		"directed": func(c *Change) { c.Kind = wire.PayloadData; c.Direct(wire.GUID{Entity: 1}) },
		"related":  func(c *Change) { c.SetRelated(wire.SampleIdentity{SN: 3}) },
		"instance": func(c *Change) { c.SetInstance(wire.KeyHash{1}, 1) },
		"key":      func(c *Change) { c.Kind, c.Key = wire.PayloadKey, 7 },
	} {
		h := New(1, nil)
		c := h.Blank()
		fill(c)
		h.Push(c)
		h.Remove(c.SN)
		if again := h.Blank(); again != c || len(c.Inline) != 0 || c.Directed || c.Target() != (wire.GUID{}) || c.Key != 0 ||
			c.Related() != (wire.SampleIdentity{}) || c.Instance() != (wire.KeyHash{}) || c.Status() != 0 || c.Kind != wire.PayloadData && name != "plain" {
			t.Errorf("%s: %+v", name, *again)
		}
	}
}

// textSource is a payload that counts how often it was asked for.
type textSource struct {
	text  string
	asked int
}

func (s *textSource) Payload() []byte {
	s.asked++
	return []byte(s.text)
}

// TestSourceInsteadOfPayload: a change with a source holds no bytes, returns those of the source each time, passes the
// source to SetPayloadOf, and has none after reuse.
func TestSourceInsteadOfPayload(t *testing.T) {
	h := New(2, nil)
	c := h.Blank()
	c.SetPayload([]byte("kept"))
	c.Key = 1
	s := &textSource{text: "made"}
	c.SetSource(s)
	h.Push(c)
	for range 2 {
		if got := string(c.Payload(0)); got != "made" {
			t.Errorf("payload %q", got)
		}
	}
	o := h.Blank()
	o.SetPayloadOf(c)
	if s.asked != 2 || string(o.Payload(1)) != "made" || s.asked != 3 {
		t.Errorf("the source was asked %d times", s.asked)
	}
	var plain Change
	plain.SetPayload([]byte("plain"))
	if o.SetPayloadOf(&plain); string(o.Payload(0)) != "plain" {
		t.Errorf("payload %q", o.Payload(0))
	}
	h.Remove(c.SN)
	again := h.Blank()
	if again != c {
		t.Fatal("the change is not used again")
	}
	if again.SetPayload([]byte("new")); string(again.Payload(0)) != "new" {
		t.Errorf("payload %q", again.Payload(0))
	}
}

// TestBuffersOfSeveralFormsAreFreed: a change with several payloads does not keep their buffers when it leaves the
// history, one with a single payload does.
func TestBuffersOfSeveralFormsAreFreed(t *testing.T) {
	for forms, want := range []int{1: 1, 2: 0} {
		if forms == 0 {
			continue
		}
		h := New(1, nil)
		c := h.Blank()
		c.SetPayloads(make([][]byte, forms)...)
		h.Push(c)
		h.Clear()
		if again := h.Blank(); again != c || cap(again.payloads) != want {
			t.Errorf("%d forms: %d buffers kept, not %d", forms, cap(again.payloads), want)
		}
	}
}
