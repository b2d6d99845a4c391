// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"bytes"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

// lentReader is a reader that keeps its loans.
type lentReader struct {
	inbox
	loans  []rtps.Loan
	copied int
}

func (r *lentReader) take(s *rtps.Sample) {
	r.inbox.take(s)
	if s.Loan == nil {
		r.copied++
		return
	}
	s.Loan.Retain()
	r.loans = append(r.loans, s.Loan)
}

// writeLent writes a sample in lent memory, and reports whether there was any.
func writeLent(t *testing.T, w *rtps.Writer, payload []byte) bool {
	t.Helper()
	lent := w.Lend(len(payload))
	if lent == nil {
		write(t, w, payload)
		return false
	}
	if err := w.WriteLent(lent, append(lent, payload...)); err != nil {
		t.Fatal(err)
	}
	return true
}

// TestLentSamples: samples that were written in shared memory arrive complete and in order, at a reader that keeps
// loans, at one that has none, at one without shared memory and at one of the same participant; also if the history has
// more of them than the memory.
func TestLentSamples(t *testing.T) {
	const size, count = 100_000, 16
	for _, memory := range []int{16 << 20, 5 * size} {
		for name, opts := range map[string][]option{"best effort": {bestEffort, depth(1)}, "reliable": {reliable, depth(10)}, "keep all": {reliable, keepAll}} {
			t.Run(fmt.Sprintf("%s %d", name, memory), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					n := vnet.New(vnet.Config{})
					a, b, c := start(t, n.Host(1), sharing(memory)), start(t, n.Host(2), sharing(memory)), start(t, n.Host(3))
					w := writer(t, a, opts...)
					lends := new(lentReader)
					if _, err := b.NewReader(rtps.ReaderConfig{Topic: topic, Type: typeName, QoS: qos(opts...), OnSample: lends.take, Loans: true}); err != nil {
						t.Fatal(err)
					}
					_, copies := reader(t, b, opts...)
					_, network := reader(t, c, opts...)
					_, local := reader(t, a, opts...)
					eventually(t, 10*time.Second, "match", func() bool { return w.Matched() == 4 })
					written := 0
					for i := range count {
						if writeLent(t, w, number(i, size)) {
							written++
						}
						time.Sleep(300 * time.Millisecond)
					}
					for _, in := range []*inbox{&lends.inbox, copies, network, local} {
						wantImages(t, in, count, size)
					}
					if s := b.Stats(); written < count/2 || s.SamplesLent == 0 || int(s.SamplesLent) != len(lends.loans) || len(lends.loans)+lends.copied != count {
						t.Errorf("%d written in shared memory, %d lent, %d loans, %d copies", written, s.SamplesLent, len(lends.loans), lends.copied)
					}
					for _, l := range lends.loans {
						l.Release()
					}
				})
			})
		}
	}
}

// TestLentMemoryIsReturned: a buffer that is not used, one that was too small, and one of a writer that was closed do
// not stay lent.
func TestLentMemoryIsReturned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const size = 100_000
		a, b := sharingPair(t, vnet.Config{}, 3*size)
		w := writer(t, a, reliable, depth(1))
		if w.Lend(size) != nil {
			t.Error("lent without a reader")
		}
		_, in := reader(t, b, reliable, depth(1))
		eventually(t, 10*time.Second, "match", func() bool { return w.Matched() == 1 })
		for i := range 10 {
			if err := w.WriteLent(w.Lend(size), nil); err != nil {
				t.Fatal(err)
			}
			lent := w.Lend(size)
			if lent == nil {
				t.Fatalf("nothing is lent in round %d", i)
			}
			if err := w.WriteLent(lent, bytes.Clone(number(i, 2*size))); err != nil {
				t.Fatal(err)
			}
			time.Sleep(300 * time.Millisecond)
		}
		wantImages(t, in, 10, 2*size)
		lent := w.Lend(size)
		if err := w.Close(); err != nil {
			t.Error(err)
		}
		if err := w.WriteLent(lent, append(lent, number(1, size)...)); err == nil {
			t.Error("a closed writer writes")
		}
	})
}
