// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
)

// TestSharedMemoryNextToOtherImplementations: of one writer with shared memory, our reader gets the images by
// references, and a reader of another implementation gets the same images in fragments.
func TestSharedMemoryNextToOtherImplementations(t *testing.T) {
	eachStack(t, func(t *testing.T, s *stack, domain uint32) {
		q := qos{reliable: true, depth: 20}
		p := s.start(t, domain, 0)
		p.send("reader r image %s %s", images, q.words())
		cfg := rtps.Config{DomainID: domain, SharedMemory: 32 << 20}
		there := startOurs(t, cfg)
		r := there.reader(images, typeImage, q)
		w := startOurs(t, cfg).writer(images, typeImage, q)
		w.matched(2)
		p.matched("r", 1)
		const n = 10
		for i := 1; i <= n; i++ {
			w.image()
			if got, err := imageNumber(r.next().payload); err != nil || got != i {
				t.Errorf("our reader got image %d, %v, not %d", got, err, i)
			}
			e := p.sample("r")
			checkImage(t, e)
			if int(e.Sec) != i {
				t.Errorf("%s got image %d, not %d", s.name, e.Sec, i)
			}
		}
		if got := there.p.Stats().SamplesReadShared; got != n {
			t.Errorf("our reader got %d images in shared memory", got)
		}
	})
}
