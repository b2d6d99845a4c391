// SPDX-License-Identifier: Apache-2.0

package simulate

import (
	"context"
	"errors"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/groundtruth"
)

// truthOf is the robot whose truth is wanted: the only one of a world. Where none is wanted it is nil.
func (o *simOptions) truthOf(s *sim.Simulation) (groundtruth.Robot, error) {
	if o.truth == "" {
		return nil, nil
	}
	all := s.Members()
	if len(all) != 1 {
		return nil, frame.Usagef("--truth is what one robot does, and world %q has %d", o.world, len(all))
	}
	return all[0], nil
}

// withTruth runs f and meanwhile writes what a robot really does into a file, also what is so at the end, be it a
// panic. devices tells which device files there are and may be nil; without a path it only runs f.
func withTruth(ctx context.Context, r groundtruth.Robot, path string, devices func() []string, f func(context.Context) error) error {
	if path == "" {
		return f(ctx)
	}
	watcher := groundtruth.New(r, path, devices)
	defer task.AtPanic(func(*task.Panic) { _ = watcher.Write() })()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	watched, stop := context.WithCancel(context.WithoutCancel(ctx)) // until f has ended
	defer stop()
	failed := make(chan error, 1)
	task.Go("truth", func() {
		err := watcher.Run(watched)
		if err != nil {
			cancel()
		}
		failed <- err
	})
	err := f(ctx)
	stop()
	return errors.Join(<-failed, err)
}
