// SPDX-License-Identifier: Apache-2.0

package shapes_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/shapes"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// history wraps a Cache for tests.
type history struct {
	t     *testing.T
	cache *shapes.Cache
	now   time.Time
}

func newHistory(t *testing.T, cfg shapes.CacheConfig) *history {
	return &history{t: t, cache: shapes.NewCache(cfg), now: time.Unix(1000, 0)}
}

// guid is writer number w.
func guid(w byte) wire.GUID { return wire.GUID{Prefix: wire.GUIDPrefix{11: w}, Entity: 0x102} }

// match announces writer w, with a strength and a lifespan.
func (h *history) match(w byte, strength int32, lifespan time.Duration) {
	data := &wire.EndpointData{GUID: guid(w), QoS: wire.DefaultWriterQoS()}
	data.QoS.Strength = strength
	if lifespan > 0 {
		data.QoS.Lifespan = wire.DurationOf(lifespan)
	}
	h.cache.Match(rtps.MatchEvent{Kind: rtps.Matched, Remote: guid(w), RemoteData: data})
}

func (h *history) unmatch(w byte) {
	h.cache.Match(rtps.MatchEvent{Kind: rtps.Unmatched, Remote: guid(w), RemoteData: &wire.EndpointData{GUID: guid(w)}})
}

// write puts in a sample of writer w.
func (h *history) write(w byte, color string, size int32) bool {
	h.t.Helper()
	payload := shapes.Append(nil, &shapes.Shape{Color: color, Size: size}, wire.XCDR1)
	_, ok, err := h.cache.Put(&rtps.Sample{Kind: wire.PayloadData, Payload: payload, Writer: guid(w), SourceTime: h.now}, h.now)
	if err != nil {
		h.t.Fatal(err)
	}
	return ok
}

// end puts in the end of an instance: by hash, or by key if hashed is false.
func (h *history) end(w byte, color string, status wire.StatusInfo, hashed bool) {
	h.t.Helper()
	s := &rtps.Sample{Status: status, Writer: guid(w), Kind: wire.PayloadNone, Key: shapes.KeyHash(color)}
	if !hashed {
		s.Kind, s.Key, s.Payload = wire.PayloadKey, wire.KeyHash{}, shapes.AppendKey(nil, color, wire.XCDR2)
	}
	if _, _, err := h.cache.Put(s, h.now); err != nil {
		h.t.Fatal(err)
	}
}

// brief writes entries as in "RED1 RED2 RED:DISPOSED".
func brief(list []shapes.Entry) string {
	var b []string
	for _, e := range list {
		if e.State == shapes.Alive {
			b = append(b, fmt.Sprint(e.Shape.Color, e.Shape.Size))
		} else {
			b = append(b, e.Shape.Color+":"+strings.TrimSuffix(strings.TrimPrefix(e.State.String(), "NOT_ALIVE_"), "_INSTANCE_STATE"))
		}
	}
	return strings.Join(b, " ")
}

// take expects what Take returns.
func (h *history) take(want string) {
	h.t.Helper()
	if got := brief(h.cache.Take(h.now, false, false)); got != want {
		h.t.Errorf("took %q, want %q", got, want)
	}
}

func TestCacheDepthOfEachInstance(t *testing.T) {
	h := newHistory(t, shapes.CacheConfig{Depth: 2})
	h.match(1, 0, 0)
	for i := range int32(4) {
		h.write(1, "RED", i)
		h.write(1, "BLUE", i)
	}
	h.take("RED2 RED3 BLUE2 BLUE3")
	h.take("")
	h.write(1, "BLUE", 9)
	h.write(1, "RED", 8)
	if got := brief(h.cache.Take(h.now, true, true)); got != "BLUE9 RED8" {
		t.Errorf("mixed: %q", got)
	}
	h.take("RED8 BLUE9") // the previous one kept them
}

func TestCacheStates(t *testing.T) {
	h := newHistory(t, shapes.CacheConfig{})
	h.match(1, 0, 0)
	h.match(2, 0, 0)
	for _, hashed := range []bool{true, false} {
		h.write(1, "RED", 1)
		h.write(2, "RED", 2)
		h.end(1, "RED", wire.StatusUnregistered, hashed)
		h.take("RED1 RED2") // writer 2 still updates it
		h.end(2, "RED", wire.StatusUnregistered, hashed)
		h.take("RED:NO_WRITERS")
		h.write(1, "RED", 3)
		h.end(1, "RED", wire.StatusDisposed, hashed)
		h.end(1, "RED", wire.StatusDisposed|wire.StatusUnregistered, hashed)
		h.take("RED3 RED:DISPOSED") // once
		h.end(1, "RED", wire.StatusDisposed, hashed)
		h.end(1, "NEVER SEEN", wire.StatusDisposed, hashed)
		h.take("")
	}
	h.write(1, "RED", 4)
	h.write(1, "BLUE", 5)
	h.write(2, "BLUE", 6)
	h.unmatch(1)
	h.take("RED4 RED:NO_WRITERS BLUE5 BLUE6")
	h.end(2, "BLUE", wire.StatusDisposed, true)
	h.write(2, "BLUE", 7) // alive again before its end was read
	h.take("BLUE7")
	h.unmatch(2)
	h.take("BLUE:NO_WRITERS")
}

func TestCacheOwnership(t *testing.T) {
	h := newHistory(t, shapes.CacheConfig{Exclusive: true})
	h.match(1, 3, 0)
	h.match(2, 4, 0)
	h.match(3, 4, 0)
	for i, c := range []struct {
		w  byte
		ok bool
	}{{1, true}, {3, true}, {1, false}, {2, true}, {3, false}, {2, true}} { // the stronger; of equals the lower GUID
		if got := h.write(c.w, "RED", int32(i)); got != c.ok {
			t.Errorf("write %d of writer %d: %v", i, c.w, got)
		}
	}
	if !h.write(1, "BLUE", 9) {
		t.Error("another instance has another owner")
	}
	h.end(1, "RED", wire.StatusDisposed, true) // not the owner
	h.take("RED0 RED1 RED3 RED5 BLUE9")
	h.unmatch(2)
	if !h.write(1, "RED", 10) || !h.write(3, "RED", 11) || h.write(1, "RED", 12) {
		t.Error("the owner's place is not taken in order of strength")
	}
	h.end(3, "RED", wire.StatusDisposed|wire.StatusUnregistered, true)
	h.take("RED10 RED11 RED:DISPOSED")
	if !h.write(1, "RED", 13) {
		t.Error("who unregisters gives the ownership up")
	}
}

func TestCacheFilters(t *testing.T) {
	f, err := shapes.ParseFilter("shapesize <= 20")
	if err != nil {
		t.Fatal(err)
	}
	h := newHistory(t, shapes.CacheConfig{Separation: time.Second, Filter: f})
	h.match(1, 0, 0)
	for i := range int32(30) {
		h.write(1, "RED", i)
		h.write(1, "BLUE", i)
		h.now = h.now.Add(100 * time.Millisecond)
	}
	h.take("RED0 RED10 RED20 BLUE0 BLUE10 BLUE20")
}

func TestCacheLifespan(t *testing.T) {
	h := newHistory(t, shapes.CacheConfig{})
	h.match(1, 0, 250*time.Millisecond)
	h.match(2, 0, 0)
	for i := range int32(5) {
		h.write(1, "RED", i)
		h.write(2, "BLUE", i)
		h.now = h.now.Add(100 * time.Millisecond)
	}
	h.take("RED3 RED4 BLUE0 BLUE1 BLUE2 BLUE3 BLUE4")
}

// TestCacheBounds: the cache is bounded, whatever peers send.
func TestCacheBounds(t *testing.T) {
	h := newHistory(t, shapes.CacheConfig{})
	accepted := 0
	for i := range 5000 {
		if h.write(1, fmt.Sprint("C", i), 1) {
			accepted++
		}
	}
	for i := range 10000 {
		if h.write(1, "C0", int32(i)) {
			accepted++
		}
	}
	if accepted != 10000 {
		t.Errorf("%d samples", accepted)
	}
	if n := len(h.cache.Take(h.now, true, false)); n != 10000 {
		t.Errorf("%d entries", n)
	}
	if !h.write(1, "C0", 1) {
		t.Error("full although empty")
	}
}

func TestCacheMalformed(t *testing.T) {
	c := shapes.NewCache(shapes.CacheConfig{})
	for want, s := range map[error]*rtps.Sample{
		shapes.ErrPayload:       {Kind: wire.PayloadData, Payload: []byte{0, 1, 0, 0, 9}},
		shapes.ErrEncapsulation: {Kind: wire.PayloadKey, Payload: []byte{0, 3, 0, 0}, Status: wire.StatusDisposed},
	} {
		if _, ok, err := c.Put(s, time.Now()); ok || !errors.Is(err, want) {
			t.Errorf("%v, %v, want %v", ok, err, want)
		}
	}
	if list := c.Take(time.Now(), true, false); len(list) != 0 {
		t.Errorf("holds %v", list)
	}
}

func TestDeadline(t *testing.T) {
	now := time.Unix(0, 0)
	d := shapes.NewDeadline(time.Second)
	missed := func(after time.Duration) []int {
		now = now.Add(after)
		total, change := d.Missed(now)
		return []int{total, change}
	}
	red, blue := shapes.KeyHash("RED"), shapes.KeyHash("BLUE")
	for i, got := range [][]int{
		missed(time.Hour), // no instance yet
		func() []int { d.Update(red, now); return missed(999 * time.Millisecond) }(),
		missed(2 * time.Millisecond),
		func() []int { d.Update(blue, now); return missed(1500 * time.Millisecond) }(),
		func() []int { d.End(red); d.Update(blue, now); return missed(3 * time.Second) }(),
	} {
		if want := [][]int{{0, 0}, {0, 0}, {1, 1}, {3, 2}, {6, 3}}[i]; !slices.Equal(got, want) {
			t.Errorf("step %d: total and change %v, want %v", i, got, want)
		}
	}
	none := shapes.NewDeadline(0)
	none.Update(red, now)
	if total, change := none.Missed(now.Add(time.Hour)); total != 0 || change != 0 {
		t.Errorf("no deadline missed %d times", total)
	}
}
