// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"net/netip"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// order records the user submessages on the network in the order in which they are sent.
type order struct {
	wire.NopHandler
	mu   sync.Mutex
	seen []submessage
}

// submessage is a DATA, or a HEARTBEAT, of a writer, with its last number.
type submessage struct {
	writer    wire.EntityID
	sn        wire.SequenceNumber
	heartbeat bool
}

func (o *order) HandleData(_ *wire.Receiver, m *wire.Data) {
	if !m.Writer.IsBuiltin() {
		o.seen = append(o.seen, submessage{m.Writer, m.SN, false})
	}
}

func (o *order) HandleHeartbeat(_ *wire.Receiver, m *wire.Heartbeat) {
	if !m.Writer.IsBuiltin() {
		o.seen = append(o.seen, submessage{m.Writer, m.Last, true})
	}
}

// watch records what is sent from now on.
func watch(t *testing.T, n *vnet.Net) *order {
	o := &order{}
	n.Watch(func(_, _ netip.AddrPort, datagram []byte) {
		o.mu.Lock()
		defer o.mu.Unlock()
		if err := wire.Walk(datagram, o); err != nil {
			t.Error(err)
		}
	})
	return o
}

func (o *order) all() []submessage {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.seen)
}

// TestCorkedSamplesAreSentInOrder: a corked participant sends its samples at the end, in the order of their writing,
// each followed by its heartbeat as without a cork; a writer that writes again first sends its held sample.
func TestCorkedSamplesAreSentInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, a, b := pair(t, vnet.Config{})
		first, second := writer(t, a, reliable), writer(t, a, reliable)
		_, in := reader(t, b, reliable)
		eventually(t, time.Second, "matches", func() bool { return first.Matched() == 1 && second.Matched() == 1 })
		time.Sleep(time.Second)
		o := watch(t, n)
		a.Cork()
		for i, w := range []*rtps.Writer{first, second, second, first} {
			write(t, w, number(i, 60))
		}
		synctest.Wait()
		if got := o.all(); len(got) != 0 {
			t.Errorf("sent while corked: %v", got)
		}
		a.Uncork()
		synctest.Wait()
		one, two := first.GUID().Entity, second.GUID().Entity
		var want []submessage
		for _, s := range []submessage{{one, 1, false}, {two, 1, false}, {two, 2, false}, {one, 2, false}} {
			want = append(want, s, submessage{s.writer, s.sn, true})
		}
		if got := o.all(); !slices.Equal(got[:min(len(got), len(want))], want) {
			t.Errorf("sent %v, want %v", got, want)
		}
		eventually(t, time.Second, "samples", func() bool { return len(in.all()) == 4 })
	})
}

// TestClosedWriterHasNoHeldSamples: a writer or participant closed while corked has no held samples left, and the
// samples of other writers are sent.
func TestClosedWriterHasNoHeldSamples(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, a, b := pair(t, vnet.Config{})
		first, second := writer(t, a, bestEffort), writer(t, a, bestEffort)
		_, in := reader(t, b, bestEffort)
		eventually(t, time.Second, "matches", func() bool { return first.Matched() == 1 && second.Matched() == 1 })
		a.Cork()
		write(t, first, number(1, 60))
		write(t, second, number(2, 60))
		if err := second.Close(); err != nil {
			t.Fatal(err)
		}
		a.Uncork()
		a.Cork()
		write(t, first, number(3, 60))
		a.Uncork()
		eventually(t, time.Second, "samples", func() bool {
			got := in.numbers()
			return slices.Contains(got, 1) && slices.Contains(got, 3)
		})
		a.Cork()
		write(t, first, number(4, 60))
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		if n := rtps.Held(a); n != 0 {
			t.Errorf("%d samples held by a participant that is closed", n)
		}
		a.Uncork()
	})
}

// TestHeldSampleIsNotSentToLaterReaders: a volatile reader that is matched while a sample is held does not get it, as
// without a cork.
func TestHeldSampleIsNotSentToLaterReaders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, a, b := pair(t, vnet.Config{})
		w := writer(t, a, bestEffort)
		_, before := reader(t, b, bestEffort)
		eventually(t, time.Second, "match", func() bool { return w.Matched() == 1 })
		a.Cork()
		write(t, w, number(1, 60))
		_, late := reader(t, a, bestEffort)
		eventually(t, time.Second, "match", func() bool { return w.Matched() == 2 })
		a.Uncork()
		write(t, w, number(2, 60))
		eventually(t, time.Second, "samples", func() bool { return slices.Equal(before.numbers(), []int{1, 2}) })
		eventually(t, time.Second, "sample", func() bool { return len(late.numbers()) > 0 })
		if got := late.numbers(); !slices.Equal(got, []int{2}) {
			t.Errorf("the late reader got %v", got)
		}
	})
}
