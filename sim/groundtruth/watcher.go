// SPDX-License-Identifier: Apache-2.0

// Package groundtruth writes the true state of a simulated robot to a file, for programs that test a driver from
// outside: a small JSON file that is replaced while the simulation runs, with the robot's pose and the times at
// which its wheels last started and stopped.
package groundtruth

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/system"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
)

const (
	// samplePeriod is how often the wheels are sampled: the resolution of the times of changes.
	samplePeriod = 20 * time.Millisecond
	// writeEvery is how many samples there are to a file, if nothing changes.
	writeEvery = 5
	// maxChanges is how many changes are kept.
	maxChanges = 64
)

// Robot is a watched robot, for instance a *sim.Firmware.
type Robot interface {
	Name() string
	GroundTruth() sim.GroundTruth
}

// Change is a time at which the wheels started or stopped turning.
type Change struct {
	// Time of this machine's clock, s since 1970.
	Time float64 `json:"time"`
	// Moving reports whether a wheel turns from now on.
	Moving bool `json:"moving"`
}

// Record is the contents of the file.
type Record struct {
	// Robot is its name in the world.
	Robot string `json:"robot"`
	// Time of this machine's clock at which the state was sampled, s since 1970.
	Time float64 `json:"time"`
	// Moving reports whether a wheel turns.
	Moving bool `json:"moving"`
	// LeftSpeed and RightSpeed are those of the wheels, rad/s.
	LeftSpeed  float64 `json:"left_speed"`
	RightSpeed float64 `json:"right_speed"`
	// X, Y (m) and Theta (rad) are the robot's place in the world.
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
	Theta float64 `json:"theta"`
	// Age is the simulated time since the simulation began, s.
	Age float64 `json:"age"`
	// Collisions is how often the robot has begun to touch something.
	Collisions uint64 `json:"collisions"`
	// LEDs reports whether an LED of the ring or of the body is on.
	LEDs bool `json:"leds"`
	// Devices are the device files that serve the robot's buses now.
	Devices []string `json:"devices"`
	// Changes are the latest, oldest first.
	Changes []Change `json:"changes"`
}

// Watcher watches one robot. One goroutine runs it.
type Watcher struct {
	robot   Robot
	path    string
	devices func() []string

	mu     sync.Mutex // guards what follows, and the file
	record Record
	known  bool // there was a sample before
}

// New returns a watcher that writes to the file at path; devices returns the existing device files and may be nil.
func New(r Robot, path string, devices func() []string) *Watcher {
	if devices == nil {
		devices = func() []string { return nil }
	}
	return &Watcher{robot: r, path: path, devices: devices}
}

// Run watches until ctx ends and writes the final state. It returns the first error of writing.
func (w *Watcher) Run(ctx context.Context) error {
	tick := time.NewTicker(samplePeriod)
	defer tick.Stop()
	for n := 0; ; n++ {
		if err := w.update(n%writeEvery == 0); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return w.Write()
		case <-tick.C:
		}
	}
}

// Write writes the current state. Any goroutine may call it, for instance for a last record at the program's end.
func (w *Watcher) Write() error { return w.update(true) }

// update takes a sample, and writes it if it must or if something has changed.
func (w *Watcher) update(write bool) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if changed := w.sample(time.Now()); !changed && !write {
		return nil
	}
	if err := w.write(); err != nil {
		return fmt.Errorf("groundtruth: %w", err)
	}
	return nil
}

// sample looks at the robot and reports whether its wheels began or ceased to turn.
func (w *Watcher) sample(now time.Time) bool {
	t := w.robot.GroundTruth()
	r := &w.record
	moving := t.LeftSpeed != 0 || t.RightSpeed != 0
	changed := w.known && moving != r.Moving
	w.known = true
	r.Robot, r.Time, r.Moving = w.robot.Name(), seconds(now), moving
	r.LeftSpeed, r.RightSpeed = t.LeftSpeed, t.RightSpeed
	r.X, r.Y, r.Theta = t.Pose.X, t.Pose.Y, t.Pose.Theta
	r.Age, r.Collisions = t.Time.Seconds(), t.Collisions
	r.LEDs = t.LEDs != (vmcu.LEDs{})
	r.Devices = w.devices()
	if changed {
		r.Changes = append(r.Changes, Change{r.Time, moving})
		r.Changes = r.Changes[max(0, len(r.Changes)-maxChanges):]
	}
	return changed
}

// write replaces the file, so that readers get a complete record.
func (w *Watcher) write() error {
	data, err := json.Marshal(&w.record)
	if err != nil {
		return err
	}
	fresh := filepath.Join(filepath.Dir(w.path), "."+filepath.Base(w.path))
	if err := os.WriteFile(fresh, append(data, '\n'), 0o644); err != nil {
		return err
	}
	return system.Rename(fresh, w.path)
}

func seconds(t time.Time) float64 { return float64(t.UnixNano()) / 1e9 }
