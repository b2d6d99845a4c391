// SPDX-License-Identifier: Apache-2.0

// Package report writes the results of a swarm's run: a table as CSV, and an HTML page of plots
// without scripts or network access.
package report

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/system"
	"github.com/epuck-ros2/epuck-driver/sim"
)

const (
	// interval is the sampling period, in simulated time.
	interval = time.Second
	// cell is the side of the squares that coverage counts, m.
	cell = 0.1
	// maxPoints is the maximum number of points of one robot's path: when it is reached, every second one is dropped.
	maxPoints = 2000
)

// sample is the state of the swarm at one time.
type sample struct {
	// Time is the age of the world.
	Time time.Duration
	// Robots is the number of robots, Collisions the number of contacts since the start.
	Robots     int
	Collisions uint64
	// Covered is the area visited by the robots' centres since the start, m².
	Covered float64
	// Factor is the real-time factor since the last sample.
	Factor float64
}

// Recorder collects samples and trajectories. It is safe for concurrent use.
type Recorder struct {
	title string

	mu       sync.Mutex
	samples  []sample
	paths    map[string][]point
	order    []string
	every    int // samples for each point of a path
	cells    map[[2]int32]struct{}
	bumps    map[string]uint64
	bumped   uint64
	wall     time.Time
	low, top point
}

type point struct{ x, y float64 }

// New returns a recorder of a run with a title.
func New(title string) *Recorder {
	return &Recorder{
		title: title, paths: make(map[string][]point), every: 1, cells: make(map[[2]int32]struct{}), bumps: make(map[string]uint64),
		low: point{math.Inf(1), math.Inf(1)}, top: point{math.Inf(-1), math.Inf(-1)}, wall: time.Now(),
	}
}

// Observe takes a sample if one is due at the age of the world.
func (r *Recorder) Observe(age time.Duration, s *sim.Simulation) {
	r.mu.Lock()
	defer r.mu.Unlock()
	last := time.Duration(-1)
	if n := len(r.samples); n > 0 {
		last = r.samples[n-1].Time
		if age-last < interval {
			return
		}
	}
	members := s.Robots()
	for _, m := range members {
		r.add(m.Name(), m.GroundTruth())
	}
	now := time.Now()
	sample := sample{Time: age, Robots: len(members), Collisions: r.bumped, Covered: float64(len(r.cells)) * cell * cell}
	if passed := now.Sub(r.wall).Seconds(); last >= 0 && passed > 0 {
		sample.Factor = (age - last).Seconds() / passed
	}
	r.wall = now
	r.samples = append(r.samples, sample)
}

// add adds the current state of a robot. The caller holds mu.
func (r *Recorder) add(name string, t sim.GroundTruth) {
	p := point{t.Pose.X, t.Pose.Y}
	r.bumped += t.Collisions - min(t.Collisions, r.bumps[name])
	r.bumps[name] = t.Collisions
	r.cells[[2]int32{int32(math.Floor(p.x / cell)), int32(math.Floor(p.y / cell))}] = struct{}{}
	r.low = point{min(r.low.x, p.x), min(r.low.y, p.y)}
	r.top = point{max(r.top.x, p.x), max(r.top.y, p.y)}
	path, known := r.paths[name]
	if !known {
		r.order = append(r.order, name)
	}
	if len(r.samples)%r.every == 0 {
		r.paths[name] = append(path, p)
	}
	if len(r.paths[name]) > maxPoints {
		r.thin()
	}
}

// thin drops every second point of all paths.
func (r *Recorder) thin() {
	r.every *= 2
	for name, path := range r.paths {
		kept := path[:0]
		for i := 0; i < len(path); i += 2 {
			kept = append(kept, path[i])
		}
		r.paths[name] = kept
	}
}

// Samples returns the samples so far.
func (r *Recorder) Samples() []sample {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]sample(nil), r.samples...)
}

// CSV writes a line for each sample.
func (r *Recorder) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	rows := [][]string{{"time_s", "robots", "collisions", "covered_m2", "real_time_factor"}}
	for _, s := range r.Samples() {
		rows = append(rows, []string{number(s.Time.Seconds()), strconv.Itoa(s.Robots), strconv.FormatUint(s.Collisions, 10),
			number(s.Covered), number(s.Factor)})
	}
	return out.WriteAll(rows)
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', 7, 64) }

// Write writes path.csv and path.html, each atomically.
func (r *Recorder) Write(path string) error {
	return errors.Join(Whole(path+".csv", r.CSV), Whole(path+".html", r.HTML))
}

// Whole writes a file atomically, by a temporary file (TestWhole). For a symbolic link its target is replaced; to a
// device or a pipe, such as /dev/stdout, it writes directly.
func Whole(path string, write func(io.Writer) error) error {
	if info, err := os.Stat(path); err == nil {
		if !info.Mode().IsRegular() {
			return direct(path, write)
		}
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return fmt.Errorf("report: %w", err)
		}
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("report: writing %s: %w", path, err)
	}
	err = errors.Join(write(f), f.Chmod(0o644), f.Sync(), f.Close())
	if err == nil {
		err = system.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("report: writing %s: %w", path, errors.Join(err, os.Remove(f.Name())))
	}
	return nil
}

// direct writes to a file that can't be replaced.
func direct(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err == nil {
		err = errors.Join(write(f), f.Close())
	}
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}
