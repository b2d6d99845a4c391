// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simulate

import (
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// A world whose robots other programs drive has the kernel's time as well: it advances by steps in real time, a
// transfer has the time of the latest one and takes that of its bits, and a run ends at exactly its length.
func TestWorldOfOutsideProgramsAdvancesInSteps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, err := sim.LoadWorld("empty")
		if err != nil {
			t.Fatal(err)
		}
		passing, err := newOutsideTime(w, 1, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		var group task.Group
		const length = 3 * time.Second
		group.Go("simulation", func() {
			if err := passing.Run(t.Context(), length, func() error { return nil }); err != nil {
				t.Error(err)
			}
		})
		time.Sleep(time.Second + 300*time.Microsecond)
		if age := passing.world.Elapsed(); age%outsideStep != 0 || (time.Second-age).Abs() > 5*time.Millisecond {
			t.Errorf("after a second the world is %v old", age)
		}
		var command [20]byte
		var reply [47]byte
		begun := time.Now()
		if err := sim.RobotsOf[*sim.Firmware](passing.world)[0].Bus().Tx(0x1F, command[:], reply[:]); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begun); took < 6*time.Millisecond || took > 7*time.Millisecond {
			t.Errorf("a transfer of 67 bytes takes %v", took)
		}
		group.Wait()
		if age := passing.world.Elapsed(); age != length {
			t.Errorf("at the end the world is %v old", age)
		}
	})
}
