// SPDX-License-Identifier: Apache-2.0

package groundtruth_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/groundtruth"
)

// A test looks from outside where the robot of a world really is.
func Example() {
	world, err := sim.LoadWorld("empty")
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := sim.New(world, sim.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	dir, err := os.MkdirTemp("", "truth")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "truth.json")
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // at once: the file has the state at the end
	if err := groundtruth.New(sim.RobotsOf[*sim.Firmware](s)[0], path, nil).Run(ctx); err != nil {
		fmt.Println(err)
	}
	var r groundtruth.Record
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	fmt.Println(r.Robot, r.Moving, r.LEDs, err)
	// Output: epuck false false <nil>
}
