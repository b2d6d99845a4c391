// SPDX-License-Identifier: Apache-2.0

package blackbox

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// TestNoFolderCanBeSetFromTheNetwork: neither an absolute one nor one above the configured one.
func TestNoFolderCanBeSetFromTheNetwork(t *testing.T) {
	withRobot(t, nil, func(r *robot) {
		for _, folder := range []string{"/etc", "..", r.dir + "/../x", "", r.dir} {
			err := r.node.Parameters().SetAtomically(ros2.Parameter{Name: paramDirectory, Value: ros2.StringValue(folder)})
			if !errors.Is(err, ros2.ErrReadOnly) {
				t.Errorf("%q: %v", folder, err)
			}
		}
		if ok, text := r.call("record/start"); !ok || filepath.Dir(text) != r.dir {
			t.Errorf("%t %s", ok, text)
		}
	})
}

// TestCacheCannotBeSetBeyondTheMemory: the value is refused, whatever machine it is.
func TestCacheCannotBeSetBeyondTheMemory(t *testing.T) {
	withRobot(t, nil, func(r *robot) {
		most := maxCache(os.DirFS("/"))
		for _, n := range []int64{0, -1, most + 1, 1 << 20, 1 << 62} {
			if err := r.node.Parameters().SetAtomically(ros2.Parameter{Name: paramCache, Value: ros2.IntegerValue(n)}); err == nil {
				t.Errorf("record.cache %d MiB is accepted, at most %d MiB are for it", n, most)
			}
		}
		must(t, r.node.Parameters().SetAtomically(ros2.Parameter{Name: paramCache, Value: ros2.IntegerValue(most)}))
	})
}

// TestDiskShareKeepsATenthFree: also 0, which removes no old files, and 1.
func TestDiskShareKeepsATenthFree(t *testing.T) {
	for _, share := range []float64{0, 1} {
		withRobot(t, nil, func(r *robot) {
			must(t, r.node.Parameters().SetAtomically(ros2.Parameter{Name: paramDiskShare, Value: ros2.DoubleValue(share)},
				ros2.Parameter{Name: paramFileTime, Value: ros2.DoubleValue(1e-6)}))
			c, err := r.o.config()
			must(t, err)
			if c.Reserve != reserve || c.MaxIndex != maxIndex || c.MaxFileTime != minFileTime {
				t.Errorf("%+v", c)
			}
		})
	}
}

// TestPublishingDoesNotWaitForADiskThatHangs: while a recording is begun on a disk that does not answer, the driver
// publishes, takes parameters and ignores presses of the button.
func TestPublishingDoesNotWaitForADiskThatHangs(t *testing.T) {
	withRobot(t, []string{"record.button:=true"}, func(r *robot) {
		must(t, r.button.Publish(&std_msgs.Bool{Data: false}))
		r.o.mu.Lock() // as Start does while it makes the folder
		for range 200 {
			must(t, r.button.Publish(&std_msgs.Bool{Data: true}))
			must(t, r.button.Publish(&std_msgs.Bool{Data: false}))
			must(t, r.a.Publish(&std_msgs.String{Data: "x"}))
		}
		must(t, r.node.Parameters().SetAtomically(ros2.Parameter{Name: paramPreRoll, Value: ros2.DoubleValue(1)}))
		r.o.mu.Unlock()
		r.settle()
		if got := r.bags(); len(got) != 1 {
			t.Errorf("200 presses made the recordings %q", got)
		}
	})
}

// TestRecordingInAFolderThatIsALoop ends with the reason.
func TestRecordingInAFolderThatIsALoop(t *testing.T) {
	dir := t.TempDir()
	loop := filepath.Join(dir, "loop")
	must(t, os.Symlink(loop, loop))
	withRobotIn(t, loop, nil, func(r *robot) {
		if ok, text := r.call("record/start"); ok || !strings.Contains(text, syscall.ELOOP.Error()) {
			t.Errorf("%t %s", ok, text)
		}
	})
}
