// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// instance is a key hash of one byte.
func instance(i byte) wire.KeyHash { return wire.KeyHash{i} }

// keyedWriter and keyedReader create endpoints of a keyed topic.
func keyedWriter(t *testing.T, p *rtps.Participant, opts ...option) *rtps.Writer {
	t.Helper()
	w, err := p.NewWriter(rtps.WriterConfig{Topic: topic, Type: typeName, QoS: qos(opts...), Keyed: true, MaxSamples: 40})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func keyedReader(t *testing.T, p *rtps.Participant, opts ...option) (*rtps.Reader, *inbox) {
	t.Helper()
	in := &inbox{}
	r, err := p.NewReader(rtps.ReaderConfig{Topic: topic, Type: typeName, QoS: qos(opts...), Keyed: true, OnSample: in.take, OnMatch: in.match})
	if err != nil {
		t.Fatal(err)
	}
	return r, in
}

func writeInstance(t *testing.T, w *rtps.Writer, key byte, i, size int) {
	t.Helper()
	if err := w.WriteInstance(instance(key), number(i, size)); err != nil {
		t.Fatal(err)
	}
}

// TestKeyedKinds: the entity kinds show whether a topic is keyed, and endpoints of different kinds do not match.
func TestKeyedKinds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, a, b := pair(t, vnet.Config{})
		kw, _ := keyedWriter(t, a, reliable), writer(t, a, reliable)
		kr, _ := keyedReader(t, b, reliable)
		r, _ := reader(t, b, reliable)
		if kw.GUID().Entity.Kind() != wire.KindWriterKeyed || kr.GUID().Entity.Kind() != wire.KindReaderKeyed {
			t.Errorf("kinds %02x, %02x", kw.GUID().Entity.Kind(), kr.GUID().Entity.Kind())
		}
		eventually(t, time.Second, "match", func() bool { return kw.Matched() == 1 && r.Matched() == 1 })
		time.Sleep(time.Second)
		if kw.Matched() != 1 || kr.Matched() != 1 || r.Matched() != 1 {
			t.Errorf("matched %d, %d, %d, want one each", kw.Matched(), kr.Matched(), r.Matched())
		}
	})
}

// TestInstances: samples and the ends of instances arrive with hash and status, small and fragmented, local and remote,
// also with losses.
func TestInstances(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, a, b := pair(t, vnet.Config{Seed: 7})
		w := keyedWriter(t, a, reliable, keepAll)
		_, far := keyedReader(t, b, reliable, keepAll)
		_, near := keyedReader(t, a, reliable, keepAll)
		eventually(t, time.Second, "match", func() bool { return w.Matched() == 2 })
		n.Set(0.2, 0, 0)
		for i := range 10 {
			writeInstance(t, w, byte(i%2), i, 20+i%2*5000)
		}
		key := number(99, 8)
		for i, status := range []wire.StatusInfo{wire.StatusDisposed, wire.StatusUnregistered} {
			if err := w.EndInstance(instance(byte(i)), status, key); err != nil {
				t.Fatal(err)
			}
		}
		eventually(t, 10*time.Second, "acknowledgment", w.Acknowledged)
		for _, in := range []*inbox{far, near} {
			eventually(t, time.Second, "samples", func() bool { return len(in.all()) == 12 })
			for i, s := range in.all()[:10] {
				if s.Kind != wire.PayloadData || s.Status != 0 || s.Key != instance(byte(i%2)) {
					t.Errorf("sample %d: kind %d, status %d, key %x", i, s.Kind, s.Status, s.Key)
				}
			}
			ends := in.all()[10:]
			if e := ends[0]; e.Kind != wire.PayloadKey || e.Status != wire.StatusDisposed || e.Key != instance(0) || !slices.Equal(e.Payload, key) {
				t.Errorf("dispose %+v", e)
			}
			if e := ends[1]; e.Status != wire.StatusUnregistered || e.Key != instance(1) {
				t.Errorf("unregister %+v", e)
			}
		}
	})
}

// TestKeepLastPerInstance: a late reader gets the last samples of each instance, although others were written
// meanwhile, but at most MaxSamples.
func TestKeepLastPerInstance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, a, b := pair(t, vnet.Config{})
		w := keyedWriter(t, a, reliable, transientLocal, depth(2))
		for i := range 5 {
			writeInstance(t, w, 1, i, 20)
		}
		for i := 10; i < 15; i++ {
			writeInstance(t, w, 2, i, 20)
		}
		_, in := keyedReader(t, b, reliable, transientLocal)
		eventually(t, 5*time.Second, "history", func() bool { return len(in.all()) == 4 })
		if got := in.numbers(); !slices.Equal(got, []int{3, 4, 13, 14}) {
			t.Errorf("got %v", got)
		}
		for i := range 200 { // many instances, of which only the last fit
			writeInstance(t, w, byte(i), i, 20)
		}
		eventually(t, 5*time.Second, "acknowledgment", w.Acknowledged)
		_, late := keyedReader(t, b, reliable, transientLocal)
		eventually(t, 5*time.Second, "history", func() bool { return len(late.all()) == 40 })
		if got := late.numbers(); got[0] != 160 || got[39] != 199 {
			t.Errorf("got %v", got)
		}
	})
}

// TestKeyedErrors: calls that do not fit the kind of topic return an error, and nothing is written.
func TestKeyedErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, a, _ := pair(t, vnet.Config{})
		plain, keyed := writer(t, a, reliable), keyedWriter(t, a, reliable)
		for name, err := range map[string]error{
			"instance without key": plain.WriteInstance(instance(1), number(1, 8)),
			"end without key":      plain.EndInstance(instance(1), wire.StatusDisposed, number(1, 8)),
			"end without status":   keyed.EndInstance(instance(1), 0, number(1, 8)),
		} {
			if !errors.Is(err, rtps.ErrConfig) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if n := a.Stats().SamplesWritten; n != 0 {
			t.Errorf("%d samples written", n)
		}
		cfg := rtps.WriterConfig{Topic: topic, Type: typeName, QoS: qos(reliable)}
		cfg.QoS.Durability = wire.Transient
		if _, err := a.NewWriter(cfg); !errors.Is(err, rtps.ErrConfig) {
			t.Errorf("transient writer: %v", err)
		}
		if r, err := a.NewReader(rtps.ReaderConfig{Topic: topic, Type: typeName, QoS: cfg.QoS}); err != nil || r.Matched() != 0 {
			t.Errorf("transient reader: %v", err)
		}
	})
}

// TestKeyedAllocs: keyed writes of known instances allocate nothing.
func TestKeyedAllocs(t *testing.T) {
	a := start(t, vnet.New(vnet.Config{}).Host(1))
	w := keyedWriter(t, a, reliable, transientLocal, depth(3))
	payload := number(1, 100)
	i := byte(0)
	one := func() {
		i++
		if err := w.WriteInstance(instance(i%4), payload); err != nil {
			t.Fatal(err)
		}
	}
	for range 100 {
		one()
	}
	if n := testing.AllocsPerRun(200, one); n > 0 {
		t.Errorf("%v allocations a write", n)
	}
}
