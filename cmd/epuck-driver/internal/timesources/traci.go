// SPDX-License-Identifier: Apache-2.0

// Package timesources has the flags and servers of clients that control a simulation's time: clients of SUMO's
// TraCI, and controllers that were written for Webots.
package timesources

import (
	"fmt"
	"net"
	"net/netip"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/timesource"
)

// TraCIDefault is the default address of sim --traci: SUMO's usual port, local only.
const TraCIDefault = "127.0.0.1:8813"

// defaultAbsence is the default of traci.absence and webots.absence. Programs without package traci also have the flag.
const defaultAbsence = 30 * time.Second

// Server is a server whose clients are the time source.
type Server interface {
	timesource.Source
	Addr() net.Addr
	Close() error
}

// RobotHooks are called when clients add and remove robots.
type RobotHooks struct {
	Added   func(m sim.Robot) error
	Removed func(name string) error
}

// TraCI has the flags of sim for clients of SUMO's protocol. Those without "traci" have SUMO's names, so that scripts
// that start SUMO can start sim instead.
type TraCI struct {
	Address  string
	allow    []string
	timeout  time.Duration
	absence  time.Duration
	Port     int // 0: none
	clients  int
	step     float64 // s
	File     string
	NetFile  string
	prefixes []netip.Prefix
}

// Flags adds the flags to a command.
func (o *TraCI) Flags(f *pflag.FlagSet) {
	f.StringVar(&o.Address, "traci", "", "let TraCI clients (SUMO's protocol: Veins, the Python module traci) control time, at `HOST:PORT`")
	frame.OptionalAddress(f, "traci", TraCIDefault)
	f.StringSliceVar(&o.allow, "traci-allow", nil, "with --traci: `NETWORKS` that may connect besides this machine, as in 192.168.7.0/24")
	f.DurationVar(&o.timeout, "traci-patience", 0, "with --traci: disconnect a client that keeps the others waiting for longer than this; 0: no limit")
	f.DurationVar(&o.absence, "traci-absence", defaultAbsence, "with --traci: end with an error when the last client is gone without closing and none comes within this; 0: no limit")
	f.IntVar(&o.Port, "remote-port", 0, "--traci=127.0.0.1:`PORT`, as SUMO calls it")
	f.IntVar(&o.clients, "num-clients", 1, "with --traci: time begins when `N` clients are there")
	f.Float64Var(&o.step, "step-length", 0.1, "with --traci: `SECONDS` of a step, in whole hundredths")
	f.StringVar(&o.NetFile, "net-file", "", "with --traci: a network of SUMO, `FILE`.net.xml of netconvert: edges, lanes, traffic lights; without --world it is the world")
	f.StringVar(&o.File, "configuration-file", "", "--world `FILE`, as SUMO calls it")
}

// Wanted reports whether clients control time.
func (o *TraCI) Wanted() bool { return o.Address != "" }

// Check completes the flags and returns an error for those that exclude each other; others: flags that control time
// in another way are set.
func (o *TraCI) Check(others bool) error {
	if o.Port != 0 {
		if o.Port < 0 || o.Port > 65535 || o.Address != "" {
			return frame.Usagef("--remote-port %d: must be 1 to 65535, and without --traci", o.Port)
		}
		o.Address = fmt.Sprintf("127.0.0.1:%d", o.Port)
	}
	if !o.Wanted() {
		if o.NetFile != "" {
			return frame.Usagef("--net-file goes with --traci")
		}
		if len(o.allow) > 0 || o.timeout != 0 || o.absence != defaultAbsence || o.clients != 1 || o.step != 0.1 {
			return frame.Usagef("--num-clients, --step-length, --set traci.allow, --set traci.absence and --set traci.timeout go with --traci")
		}
		return nil
	}
	switch {
	case others:
		return frame.Usagef("--traci doesn't go with --i2c-device, --snapshot and --real-time-factor: the clients control time")
	case !(o.step >= 0.01 && o.step <= 3600):
		return frame.Usagef("--step-length %g: must be 0.01 to 3600 s", o.step)
	case o.clients < 1:
		return frame.Usagef("--num-clients %d: must be 1 or more", o.clients)
	}
	for _, text := range o.allow {
		p, err := parsePrefix(text)
		if err != nil {
			return frame.Usagef("traci.allow %q: %v", text, err)
		}
		o.prefixes = append(o.prefixes, p)
	}
	return nil
}

// parsePrefix parses a network, or a single address.
func parsePrefix(text string) (netip.Prefix, error) {
	if strings.Contains(text, "/") {
		return netip.ParsePrefix(text)
	}
	ip, err := netip.ParseAddr(text)
	return netip.PrefixFrom(ip, ip.BitLen()), err
}
