// SPDX-License-Identifier: Apache-2.0

package experiment

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/experiment/report"
	"github.com/epuck-ros2/epuck-driver/fleet/swarm"
	"github.com/epuck-ros2/epuck-driver/internal/filekind"
	"github.com/epuck-ros2/epuck-driver/internal/regular"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/sim"
)

func keys[V any](m map[string]V) iter.Seq[string] { return maps.Keys(m) }

// Figures returns the names of the figures of a controller's run.
func Figures() []string {
	return []string{"collisions", "covered", "spread", "clusters", "largest", "way"}
}

func figures(s swarm.Statistics) map[string]float64 {
	return map[string]float64{
		"collisions": float64(s.Collisions), "covered": s.Covered, "spread": s.Spread, "clusters": float64(s.Clusters),
		"largest": s.Largest, "way": s.Way,
	}
}

// result is the result of one run.
type result struct {
	Key     string             `json:"key"` // of the experiment
	Run     int                `json:"run"`
	Seed    uint64             `json:"seed"`
	Values  []float64          `json:"values"`
	Time    float64            `json:"time"` // simulated, s
	Wall    float64            `json:"wall"` // s
	Stopped bool               `json:"stopped"`
	Figures map[string]float64 `json:"figures"`
}

// Do executes one run. Errors have the number of the run.
func (e *Experiment) Do(ctx context.Context, c Case) (*result, error) {
	begun := time.Now()
	r := &result{Key: e.key, Run: c.Run, Seed: c.Seed, Values: c.Values}
	var err error
	if len(e.Command) > 0 {
		r.Time = e.Duration
		r.Figures, err = e.command(ctx, c)
	} else {
		err = e.simulate(ctx, c, r)
	}
	if err != nil {
		return nil, fmt.Errorf("run %d: %w", c.Run, err)
	}
	r.Wall = time.Since(begun).Seconds()
	return r, nil
}

// simulate runs a controller.
func (e *Experiment) simulate(ctx context.Context, c Case, r *result) error {
	w, robots, set, err := e.prepare(c)
	if err != nil {
		return err
	}
	if robots > 0 {
		if err := sim.Distribute(w, robots, sim.Distribution(e.Distribution), c.Seed); err != nil {
			return err
		}
	}
	maker, err := swarm.Named(e.Controller, set)
	if err != nil {
		return err
	}
	run, err := swarm.New(w, swarm.Config{Seed: c.Seed, Controller: maker, Period: seconds(e.Period), Workers: 1})
	if err != nil {
		return err
	}
	for left := seconds(e.Duration); left > 0 && !r.Stopped; left -= time.Second {
		if err := run.Advance(ctx, min(left, time.Second)); err != nil {
			return err
		}
		s := run.Statistics()
		r.Time, r.Figures = s.Time.Seconds(), figures(s)
		for k, v := range e.Stop {
			r.Stopped = r.Stopped || r.Figures[k] >= v
		}
	}
	return nil
}

func seconds(s float64) time.Duration {
	return time.Duration(s * float64(time.Second)).Round(10 * time.Millisecond)
}

// prepare loads the world of a run.
func (e *Experiment) prepare(c Case) (w *sim.World, robots int, set map[string]float64, err error) {
	if w, err = sim.LoadWorld(e.worldName()); err != nil {
		return nil, 0, nil, err
	}
	for i := range w.Robots {
		if e.Level != levelOfWorld {
			w.Robots[i].Level = e.Level
		}
	}
	robots, set = e.Robots, make(map[string]float64)
	for i, a := range e.Parameters {
		if a.Name == axisRobots {
			robots = int(c.Values[i])
		} else {
			set[a.Name] = c.Values[i]
		}
	}
	return w, robots, set, nil
}

// Folder returns the folder of an experiment's results below another folder.
func (e *Experiment) Folder(below string) string { return filepath.Join(below, e.Name+"-"+e.key) }

// fileOf returns the file of a run's result.
func fileOf(folder string, run int) string {
	return filepath.Join(folder, fmt.Sprintf("run-%07d.json", run))
}

// Progress is called when a run has ended, with the numbers of finished runs and of all runs.
type Progress func(done, all int)

// Run executes those of the given runs (nil: all) that have no result in the folder yet, on the given number of
// processors (0: all), each run on one. It ends with ctx, at the first error, or when all results exist. A program that
// executes all runs locks the folder exclusively, one that executes some runs shared; if the lock is not available Run
// fails with an error that names the folder.
func (e *Experiment) Run(ctx context.Context, folder string, runs []int, workers int, progress Progress) error {
	all := runs == nil
	if all {
		for i := range e.Runs() {
			runs = append(runs, i)
		}
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("experiment: %w", err)
	}
	unlock, err := occupy(folder, all)
	if err != nil {
		return err
	}
	defer unlock()
	var open []int
	for _, i := range runs {
		if i < 0 || i >= e.Runs() {
			return fmt.Errorf("%w: run %d, want 0 to %d", errFile, i, e.Runs()-1)
		}
		if _, err := e.read(folder, i); errors.Is(err, fs.ErrNotExist) || errors.Is(err, errResult) {
			open = append(open, i)
		} else if err != nil {
			return err
		}
	}
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	progress(len(runs)-len(open), len(runs))
	return e.work(ctx, folder, open, min(workers, max(1, len(open))), func(n int) { progress(len(runs)-len(open)+n, len(runs)) })
}

// work executes runs on several processors.
func (e *Experiment) work(ctx context.Context, folder string, open []int, workers int, ended func(n int)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var mu sync.Mutex
	done := 0
	var group task.Group
	for range workers {
		group.Go("experiment", func() {
			for ctx.Err() == nil {
				k := int(next.Add(1)) - 1
				if k >= len(open) {
					return
				}
				if err := e.complete(ctx, folder, open[k]); err != nil {
					cancel(err)
					return
				}
				mu.Lock()
				done++
				ended(done)
				mu.Unlock()
			}
		})
	}
	group.Wait()
	return context.Cause(ctx)
}

// complete executes a run and writes its result, unless another program has done so, such as a restarted task.
func (e *Experiment) complete(ctx context.Context, folder string, run int) error {
	if _, err := e.read(folder, run); err == nil {
		return nil
	}
	r, err := e.Do(ctx, e.Case(run))
	if err != nil {
		return err
	}
	return r.write(folder)
}

// write writes the result's file atomically.
func (r *result) write(folder string) error {
	return report.Whole(fileOf(folder, r.Run), func(w io.Writer) error { return json.NewEncoder(w).Encode(r) })
}

// maxResult is the maximum size of a result file, bytes.
const maxResult = 64 << 20

// read reads the result of a run: fs.ErrNotExist if there is none, errResult if it is damaged or another experiment's.
func (e *Experiment) read(folder string, run int) (*result, error) {
	data, err := regular.Read(fileOf(folder, run), maxResult)
	if err != nil {
		return nil, fmt.Errorf("experiment: %w", err)
	}
	r := new(result)
	if err := json.Unmarshal(data, r); err != nil {
		return nil, filekind.ExplainData(fileOf(folder, run), data, fmt.Errorf("%w: %s: %w", errResult, fileOf(folder, run), err), filekind.JSON)
	}
	if r.Key != e.key || r.Run != run || len(r.Values) != len(e.Parameters) {
		return nil, fmt.Errorf("%w: %s belongs to another experiment", errResult, fileOf(folder, run))
	}
	return r, nil
}
