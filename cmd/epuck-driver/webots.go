// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"net/netip"
	"strconv"
	"time"

	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// webotsDefault is where sim --webots listens: Webots' usual port, for this machine alone.
const webotsDefault = "1234"

// webotsOptions are the flags of sim for controllers that were written for Webots.
type webotsOptions struct {
	address     string
	allow       []string
	controllers int
	release     string
	step        time.Duration
	patience    time.Duration
	pictures    string
	prefixes    []netip.Prefix
	size        [2]int
}

// webotsSettings are the flags beside --webots as they are when nothing is said.
func webotsSettings() webotsOptions {
	return webotsOptions{controllers: 1, release: "R2025a", step: 32 * time.Millisecond, pictures: "52x39"}
}

func (o *webotsOptions) flags(f *pflag.FlagSet) {
	d := webotsSettings()
	f.StringVar(&o.address, "webots", "", "let controllers that were written for Webots hold time and drive the robots, at `PORT` or HOST:PORT")
	f.Lookup("webots").NoOptDefVal = webotsDefault
	f.StringSliceVar(&o.allow, "webots-allow", nil, "with --webots: who else than this machine may connect, `NETWORKS` as in 192.168.7.0/24")
	f.IntVar(&o.controllers, "webots-controllers", d.controllers, "with --webots: time begins when `N` controllers are there")
	f.StringVar(&o.release, "webots-release", d.release, "with --webots: `RELEASE` of the controllers' libController: R2023a, R2023b or R2025a")
	f.DurationVar(&o.step, "webots-step", d.step, "with --webots: what controllers are told as the basic time step, whole milliseconds")
	f.DurationVar(&o.patience, "webots-patience", d.patience, "with --webots: leave a controller behind that lets the others wait for so long; 0: wait on")
	f.StringVar(&o.pictures, "webots-camera", d.pictures, "with --webots: size of the cameras' pictures, `WIDTHxHEIGHT`")
}

// wanted tells whether controllers of Webots hold time.
func (o *webotsOptions) wanted() bool { return o.address != "" }

// check completes the flags and refuses those that don't go together.
func (o *webotsOptions) check(all *simOptions) error {
	if !o.wanted() {
		d := webotsSettings()
		if len(o.allow) > 0 || o.controllers != d.controllers || o.release != d.release || o.step != d.step || o.patience != 0 || o.pictures != d.pictures {
			return usagef("--webots-allow, --webots-controllers, --webots-release, --webots-step, --webots-patience and --webots-camera go with --webots")
		}
		return nil
	}
	if port, err := strconv.ParseUint(o.address, 10, 16); err == nil {
		o.address = fmt.Sprintf("127.0.0.1:%d", port)
	}
	switch {
	case all.traci.wanted() || all.device >= 0 || all.controller.name != "" || all.snapshot != "" || all.swarm.speedText != "1":
		return usagef("--webots doesn't go with --traci, --i2c-device, --controller, --snapshot and --speed: the controllers hold time")
	case cmp.Or(all.swarm.level, world.LevelFunctional) != world.LevelFunctional:
		return usagef("--webots drives robots of the level functional, not %q", all.swarm.level)
	case o.controllers < 1:
		return usagef("--webots-controllers %d: must be 1 or more", o.controllers)
	}
	all.swarm.level = world.LevelFunctional
	if n, err := fmt.Sscanf(o.pictures, "%dx%d", &o.size[0], &o.size[1]); n != 2 || err != nil {
		return usagef("--webots-camera %q: must be like 160x120", o.pictures)
	}
	for _, text := range o.allow {
		p, err := parsePrefix(text)
		if err != nil {
			return usagef("--webots-allow %q: %v", text, err)
		}
		o.prefixes = append(o.prefixes, p)
	}
	return nil
}

// controlServer is a server whose controllers hold time.
type controlServer interface {
	timeHolder
	URL(robot string) string
}
