// SPDX-License-Identifier: Apache-2.0

package groundtruth

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/sim"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

// puppet is a robot whose state the test sets.
type puppet struct {
	mu    sync.Mutex
	truth sim.GroundTruth
}

func (p *puppet) Name() string { return "puppet" }

func (p *puppet) GroundTruth() sim.GroundTruth {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.truth
}

func (p *puppet) turn(left, right float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.truth.LeftSpeed, p.truth.RightSpeed = left, right
}

// record reads the file.
func record(t *testing.T, path string) Record {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var r Record
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	return r
}

// The file has each start and end of a movement with its time, also between two regular writes.
func TestChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "truth.json")
	synctest.Test(t, func(t *testing.T) {
		p := &puppet{}
		p.truth.Pose.X, p.truth.Pose.Theta = 1.5, -2
		p.truth.LEDs.Red[2] = true
		p.truth.Time, p.truth.Collisions = 1500*time.Millisecond, 4
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			done <- New(p, path, func() []string { return []string{"/dev/i2c-12"} }).Run(ctx)
		}()
		began := seconds(time.Now())
		synctest.Wait()
		r := record(t, path)
		if r.Moving || len(r.Changes) != 0 || r.Robot != "puppet" || r.X != 1.5 || r.Theta != -2 || r.Age != 1.5 || r.Collisions != 4 || !r.LEDs || r.Devices[0] != "/dev/i2c-12" {
			t.Errorf("at first %+v", r)
		}
		for _, step := range []struct {
			after       time.Duration
			left, right float64
		}{{1005 * time.Millisecond, 0, 3}, {30 * time.Millisecond, 2, 3}, {20 * time.Millisecond, 0, 0}, {5 * time.Second, -1, 0}} {
			time.Sleep(step.after)
			p.turn(step.left, step.right)
		}
		time.Sleep(samplePeriod)
		synctest.Wait()
		r = record(t, path)
		want := []Change{{1.02, true}, {1.06, false}, {6.06, true}}
		if len(r.Changes) != len(want) || !r.Moving || r.LeftSpeed != -1 {
			t.Fatalf("%+v", r)
		}
		for i, c := range r.Changes {
			if late := c.Time - began - want[i].Time; c.Moving != want[i].Moving || late < -1e-6 || late > 1e-6 {
				t.Errorf("change %d: %+v at %.6f s, want %+v", i, c, c.Time-began, want[i])
			}
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Only the latest changes are kept; a robot that moves from the start has no change for that.
func TestHistoryIsBounded(t *testing.T) {
	p := &puppet{}
	p.turn(1, 1)
	w := New(p, "", nil)
	for i := range 200 {
		p.turn(float64((i+1)%2), 0)
		w.sample(time.Unix(int64(i), 0))
	}
	if n := len(w.record.Changes); n != maxChanges {
		t.Fatalf("%d changes", n)
	}
	if first, last := w.record.Changes[0].Time, w.record.Changes[maxChanges-1].Time; last != 199 || first != 200-maxChanges {
		t.Errorf("from %v to %v", first, last)
	}
}

func TestNowhereToWrite(t *testing.T) {
	err := New(&puppet{}, filepath.Join(t.TempDir(), "no", "file"), nil).Run(t.Context())
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}
