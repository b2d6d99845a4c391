// SPDX-License-Identifier: Apache-2.0

package record

import (
	"errors"
	"testing"

	"github.com/epuck-ros2/epuck-driver/bag/mcap"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// errWorn is the failure of a wornDisk.
var errWorn = errors.New("input/output error")

// wornDisk is a real folder whose files fail at the first write, once they have a header.
type wornDisk struct{ realDisk }

type wornFile struct {
	mcap.File
	header bool // was synced
}

func (d wornDisk) create(path string) (mcap.File, error) {
	f, err := d.realDisk.create(path)
	return &wornFile{File: f}, err
}

func (f *wornFile) Sync() error {
	f.header = true
	return f.File.Sync()
}

func (f *wornFile) WriteAt(b []byte, off int64) (int, error) {
	if f.header {
		return 0, errWorn
	}
	return f.File.WriteAt(b, off)
}

// TestFailuresOfTheDiskAreJoined: the error of a recording has the failure of the disk, and that nothing was recorded,
// or that a topic was not published.
func TestFailuresOfTheDiskAreJoined(t *testing.T) {
	for _, c := range []struct {
		topics []string
		want   []error
	}{
		{nil, []error{errWorn, ErrNoMessages}},
		{[]string{"/odom"}, []error{errWorn, ErrNoMessages}},
		{[]string{"/odom", "/none"}, []error{errWorn, ErrNoMessages, ErrNotPublished}},
	} {
		inBubble(t, Config{disk: wornDisk{}, Select: Selection{Topics: c.topics}}, func(g *rig) {
			say := g.publisher("/odom", ros2.DefaultQoS())
			g.start("run")
			say("1")
			g.settle()
			g.cancel()
			g.cancel = nil
			err := <-g.result
			for _, want := range c.want {
				if !errors.Is(err, want) {
					t.Errorf("%q: %v lacks %v", c.topics, err, want)
				}
			}
		})
	}
}
