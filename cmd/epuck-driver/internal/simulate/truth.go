// SPDX-License-Identifier: Apache-2.0

package simulate

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/groundtruth"
)

// groundTruthFiles returns the names of the robots' ground-truth files: the requested name for a single robot,
// otherwise with the robot's name before the extension.
func (o *simOptions) groundTruthFiles(robots []sim.Robot) []string {
	files := make([]string, len(robots))
	for i, r := range robots {
		files[i] = o.truth
		if ext := filepath.Ext(o.truth); o.truth != "" && len(robots) > 1 {
			files[i] = strings.TrimSuffix(o.truth, ext) + "-" + r.Name() + ext
		}
	}
	return files
}

// withTruths is withTruth for several robots.
func (o *simOptions) withTruths(ctx context.Context, robots []sim.Robot, f func(context.Context) error) error {
	for i, file := range o.groundTruthFiles(robots) {
		inner := f
		f = func(ctx context.Context) error { return withTruth(ctx, robots[i], file, nil, inner) }
	}
	return f(ctx)
}

// withTruth runs f and meanwhile writes the ground truth of a robot into a file, including the final state, even after
// a panic. devices lists the device files and may be nil; without a path it only runs f.
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
