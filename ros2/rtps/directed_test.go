// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// TestDirectedSamples: a sample for one reader reaches it only, with its related identity, and other readers do not
// wait for its number.
func TestDirectedSamples(t *testing.T) {
	for _, loss := range []float64{0, 0.2} {
		for _, size := range []int{30, 3000} {
			t.Run(fmt.Sprintf("loss %g size %d", loss, size), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					n, a, b := pair(t, vnet.Config{Seed: 3, Loss: loss})
					w := writer(t, a, reliable, keepAll)
					r1, in1 := reader(t, b, reliable)
					r2, in2 := reader(t, start(t, n.Host(3)), reliable)
					r3, in3 := reader(t, a, reliable) // of the same participant
					readers := []*rtps.Reader{r1, r2, r3}
					eventually(t, 20*time.Second, "match", func() bool { return w.Matched() == 3 })
					related := wire.SampleIdentity{Writer: r1.GUID(), SN: 1<<40 + 7}
					for i := range 60 {
						if err := w.WriteTo(readers[i%3].GUID(), related, number(i, size)); err != nil {
							t.Fatal(err)
						}
						write(t, w, number(1000+i, 30))
						time.Sleep(5 * time.Millisecond)
					}
					for k, in := range []*inbox{in1, in2, in3} {
						eventually(t, 20*time.Second, "all", func() bool { return len(in.all()) >= 80 })
						var want []int
						for i := range 60 {
							if i%3 == k {
								want = append(want, i)
							}
							want = append(want, 1000+i)
						}
						if got := in.numbers(); !slices.Equal(got, want) {
							t.Errorf("reader %d got %v", k, got)
						}
						for _, s := range in.all() {
							if directed := s.Related == related; directed == isCommon(s) {
								t.Fatalf("reader %d: related %v of %v", k, s.Related, s.SN)
							}
						}
					}
				})
			})
		}
	}
}

// isCommon reports whether the sample is one of those for all readers.
func isCommon(s rtps.Sample) bool { return int(s.Payload[4])|int(s.Payload[5])<<8 >= 1000 }

func TestDirectedToUnknownReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, a, b := pair(t, vnet.Config{})
		w := writer(t, a, reliable)
		err := w.WriteTo(b.GUID(), wire.SampleIdentity{}, number(0, 8))
		if !errors.Is(err, rtps.ErrUnknownReader) {
			t.Errorf("error %v", err)
		}
	})
}

// TestRelatedSamples: a sample for all readers carries the identity too.
func TestRelatedSamples(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, a, b := pair(t, vnet.Config{})
		w := writer(t, a, reliable)
		r, in := reader(t, b, reliable)
		eventually(t, time.Second, "match", func() bool { return w.Matched() == 1 })
		related := wire.SampleIdentity{Writer: r.GUID(), SN: wire.SequenceNumberUnknown}
		if err := w.WriteRelated(related, number(0, 8)); err != nil {
			t.Fatal(err)
		}
		eventually(t, time.Second, "sample", func() bool { return len(in.all()) == 1 })
		if got := in.all()[0].Related; got != related {
			t.Errorf("got %v", got)
		}
	})
}

// TestVariants: each reader gets the variant chosen at match time, also a late one, and after losses.
func TestVariants(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, a, b := pair(t, vnet.Config{Seed: 1, Loss: 0.2})
		w, err := a.NewWriter(rtps.WriterConfig{
			Topic: topic, Type: typeName, QoS: qos(reliable, transientLocal),
			Variant: func(remote wire.EndpointData) int { return len(remote.UserData) },
		})
		if err != nil {
			t.Fatal(err)
		}
		join := func(p *rtps.Participant, userData string) *inbox {
			in := &inbox{}
			_, err := p.NewReader(rtps.ReaderConfig{Topic: topic, Type: typeName, QoS: qos(reliable, transientLocal),
				UserData: []byte(userData), OnSample: in.take})
			if err != nil {
				t.Fatal(err)
			}
			return in
		}
		variants := [][]byte{number(24, 100), number(16, 2000)}
		early := []*inbox{join(b, ""), join(b, "x"), join(a, "x"), join(b, "more than there are")}
		eventually(t, 10*time.Second, "match", func() bool { return w.Matched() == 4 })
		if err := w.WriteVariants(variants...); err != nil {
			t.Fatal(err)
		}
		c := start(t, n.Host(3))
		late := []*inbox{join(c, ""), join(c, "x")}
		want := []int{24, 16, 16, 16, 24, 16}
		for i, in := range append(early, late...) {
			eventually(t, 10*time.Second, "sample", func() bool { return len(in.all()) == 1 })
			if got := in.numbers()[0]; got != want[i] {
				t.Errorf("reader %d got %d, want %d", i, got, want[i])
			}
		}
	})
}
