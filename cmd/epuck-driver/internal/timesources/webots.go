// SPDX-License-Identifier: Apache-2.0

package timesources

import (
	"cmp"
	"fmt"
	"net/netip"
	"strconv"
	"time"

	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/ros2/shell"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// webotsDefault is the default address of sim --webots: Webots' usual port, local only.
const webotsDefault = "1234"

// Webots has the flags of sim for controllers that were written for Webots.
type Webots struct {
	Address     string
	allow       []string
	controllers int
	release     string
	Step        time.Duration
	timeout     time.Duration
	absence     time.Duration
	pictures    string
	prefixes    []netip.Prefix
	Size        [2]int
}

// webotsSettings returns the defaults of the flags that depend on --webots.
func webotsSettings() Webots {
	return Webots{controllers: 1, release: "R2025a", Step: 32 * time.Millisecond, absence: defaultAbsence, pictures: "52x39"}
}

// Flags adds the flags to a command.
func (o *Webots) Flags(f *pflag.FlagSet) {
	d := webotsSettings()
	f.StringVar(&o.Address, "webots", "", "let controllers that were written for Webots control time and drive the robots, at `PORT` or HOST:PORT")
	frame.OptionalAddress(f, "webots", webotsDefault, shell.AddressPort)
	f.StringSliceVar(&o.allow, "webots-allow", nil, "with --webots: `NETWORKS` that may connect besides this machine")
	f.IntVar(&o.controllers, "webots-controllers", d.controllers, "with --webots: time begins when `N` controllers are there")
	f.StringVar(&o.release, "webots-release", d.release, "with --webots: `RELEASE` of libController: R2023a, R2023b or R2025a")
	f.DurationVar(&o.Step, "webots-step", d.Step, "with --webots: the basic time step, whole milliseconds")
	f.DurationVar(&o.timeout, "webots-patience", d.timeout, "with --webots: disconnect a controller that keeps the others waiting for longer than this; 0: no limit")
	f.DurationVar(&o.absence, "webots-absence", d.absence, "with --webots: end with an error when all controllers are gone, one of them without ending, and none comes within this; 0: no limit")
	f.StringVar(&o.pictures, "webots-camera", d.pictures, "with --webots: `SIZE` of the e-pucks' pictures, px")
}

// Wanted reports whether controllers of Webots control time.
func (o *Webots) Wanted() bool { return o.Address != "" }

// Check completes the flags and returns an error for those that exclude each other; others: flags that control time
// in another way are set. level is the requested level of the robots, or empty.
func (o *Webots) Check(others bool, level string) error {
	if !o.Wanted() {
		d := webotsSettings()
		if len(o.allow) > 0 || o.controllers != d.controllers || o.release != d.release || o.Step != d.Step || o.timeout != 0 || o.absence != d.absence || o.pictures != d.pictures {
			return frame.Usagef("the settings webots.… go with --webots")
		}
		return nil
	}
	if port, err := strconv.ParseUint(o.Address, 10, 16); err == nil {
		o.Address = fmt.Sprintf("127.0.0.1:%d", port)
	}
	switch {
	case others:
		return frame.Usagef("--webots doesn't go with --traci, --i2c-device, --controller, --snapshot and --real-time-factor: the controllers control time")
	case cmp.Or(level, world.LevelFunctional) != world.LevelFunctional:
		return frame.Usagef("--webots drives e-pucks of the level functional, not %q", level)
	case o.controllers < 1:
		return frame.Usagef("webots.controllers %d: must be 1 or more", o.controllers)
	}
	if n, err := fmt.Sscanf(o.pictures, "%dx%d", &o.Size[0], &o.Size[1]); n != 2 || err != nil {
		return frame.Usagef("webots.camera %q: must be like 160x120", o.pictures)
	}
	for _, text := range o.allow {
		p, err := parsePrefix(text)
		if err != nil {
			return frame.Usagef("webots.allow %q: %v", text, err)
		}
		o.prefixes = append(o.prefixes, p)
	}
	return nil
}

// ControlServer is a server whose controllers control time.
type ControlServer interface {
	Server
	URL(robot string) string
}
