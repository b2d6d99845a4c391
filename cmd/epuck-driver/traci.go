// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"net"
	"net/netip"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/hold"
)

// traciDefault is where sim --traci listens: SUMO's usual port, for this machine alone.
const traciDefault = "127.0.0.1:8813"

// timeHolder is a server whose clients hold time.
type timeHolder interface {
	hold.Holder
	Addr() net.Addr
	Close() error
}

// comers is who has to do with robots that clients bring and let go.
type comers struct {
	come  func(m sim.Member) error
	leave func(name string) error
}

// traciOptions are the flags of sim for clients of SUMO's protocol. Those without "traci" in them have the names that
// SUMO gives them: who starts a SUMO starts this instead.
type traciOptions struct {
	address  string
	allow    []string
	patience time.Duration
	port     int // 0: none
	clients  int
	step     float64 // s
	file     string
	prefixes []netip.Prefix
}

func (o *traciOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.address, "traci", "", "let TraCI clients (SUMO's protocol: Veins, the Python module traci) hold time, at `HOST:PORT`")
	f.Lookup("traci").NoOptDefVal = traciDefault
	f.StringSliceVar(&o.allow, "traci-allow", nil, "with --traci: who else than this machine may connect, `NETWORKS` as in 192.168.7.0/24")
	f.DurationVar(&o.patience, "traci-patience", 0, "with --traci: leave a client behind that lets the others wait for so long; 0: wait on")
	f.IntVar(&o.port, "remote-port", 0, "the same as --traci=127.0.0.1:`PORT`, as SUMO calls it")
	f.IntVar(&o.clients, "num-clients", 1, "with --traci: time begins when `N` clients are there")
	f.Float64Var(&o.step, "step-length", 0.1, "with --traci: `SECONDS` of a step, in whole hundredths")
	f.StringVar(&o.file, "configuration-file", "", "the same as --world `FILE`, as SUMO calls it")
}

// wanted tells whether clients hold time.
func (o *traciOptions) wanted() bool { return o.address != "" }

// check completes the flags and refuses those that don't go together.
func (o *traciOptions) check(all *simOptions) error {
	if o.port != 0 {
		if o.port < 0 || o.port > 65535 || o.address != "" {
			return usagef("--remote-port %d: must be 1 to 65535, and without --traci", o.port)
		}
		o.address = fmt.Sprintf("127.0.0.1:%d", o.port)
	}
	if !o.wanted() {
		if len(o.allow) > 0 || o.patience != 0 || o.clients != 1 || o.step != 0.1 {
			return usagef("--traci-allow, --traci-patience, --num-clients and --step-length go with --traci")
		}
		return nil
	}
	switch {
	case all.device >= 0 || all.snapshot != "" || all.swarm.speedText != "1":
		return usagef("--traci doesn't go with --i2c-device, --snapshot and --speed: the clients hold time")
	case !(o.step >= 0.01 && o.step <= 3600):
		return usagef("--step-length %g: must be 0.01 to 3600 s", o.step)
	case o.clients < 1:
		return usagef("--num-clients %d: must be 1 or more", o.clients)
	}
	for _, text := range o.allow {
		p, err := parsePrefix(text)
		if err != nil {
			return usagef("--traci-allow %q: %v", text, err)
		}
		o.prefixes = append(o.prefixes, p)
	}
	return nil
}

// parsePrefix reads a network, or an address alone.
func parsePrefix(text string) (netip.Prefix, error) {
	if strings.Contains(text, "/") {
		return netip.ParsePrefix(text)
	}
	ip, err := netip.ParseAddr(text)
	return netip.PrefixFrom(ip, ip.BitLen()), err
}
