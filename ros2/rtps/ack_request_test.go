// SPDX-License-Identifier: Apache-2.0

package rtps_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

// TestWritersRequestAcknowledgmentTogether: writers that started at different times and write in one batch 20 times a
// second are acknowledged together twice a second, not each twice a second.
func TestWritersRequestAcknowledgmentTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, a, b := pair(t, vnet.Config{})
		var in inbox
		var writers []*rtps.Writer
		for i := range 8 {
			name := fmt.Sprint("rt/topic", i)
			w, err := a.NewWriter(rtps.WriterConfig{Topic: name, Type: typeName, QoS: qos(reliable)})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := b.NewReader(rtps.ReaderConfig{Topic: name, Type: typeName, QoS: qos(reliable), OnSample: in.take}); err != nil {
				t.Fatal(err)
			}
			writers = append(writers, w)
		}
		eventually(t, 5*time.Second, "matches", func() bool {
			for _, w := range writers {
				if w.Matched() != 1 {
					return false
				}
			}
			return true
		})
		cycle := func(n int) {
			a.Cork()
			for _, w := range writers[:n] {
				write(t, w, number(1, 40))
			}
			a.Uncork()
			time.Sleep(50 * time.Millisecond)
		}
		for n := range writers { // in sequence
			cycle(n + 1)
		}
		for range 40 {
			cycle(len(writers))
		}
		before, seconds := a.Stats().DatagramsReceived, 20
		for range seconds * 20 {
			cycle(len(writers))
		}
		if n := a.Stats().DatagramsReceived - before; n > uint64(4*seconds) { // announcements, too
			t.Errorf("%d answers in %d s", n, seconds)
		}
	})
}
