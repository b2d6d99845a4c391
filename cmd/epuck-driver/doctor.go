// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/doctor"
	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
)

const (
	// multicastWait is how long the doctor waits for its own multicast on each interface.
	multicastWait = 500 * time.Millisecond
	// roleCall is how long it listens for others: they answer a newcomer at once.
	roleCall = 3 * time.Second
)

// runDoctor examines this machine. Its exit status is 1 if something has to be mended.
func runDoctor(ctx context.Context, s streams, args []string) error {
	rosArgs, rest, err := ros2.ParseArgs(args)
	if err != nil {
		return usagef("%v", err)
	}
	set := flag.NewFlagSet("doctor", flag.ContinueOnError)
	asJSON := set.Bool("json", false, "for programs")
	if err := parseFlags(set, rest); err != nil {
		return err
	}
	bus, err := driver.RobotBus(rosArgs)
	if err != nil {
		return err
	}
	m := doctor.ThisMachine(bus)
	m.Network = lookAround
	m.CheckEnvironment = func() error { _, err := rmw.FromEnvironment(os.LookupEnv); return err }
	m.CheckParameters = driver.CheckParameterFile
	report := doctor.Examine(ctx, m)
	write := report.WriteText
	if *asJSON {
		write = report.WriteJSON
	}
	if err := write(s.out); err != nil {
		return err
	}
	if report.Worst() == doctor.Failure {
		return statusError(exitFailed)
	}
	return nil
}

// lookAround joins the network for a while and tells who else is there.
func lookAround(ctx context.Context) (doctor.Network, error) {
	cfg, err := rmw.FromEnvironment(os.LookupEnv)
	if err != nil {
		return doctor.Network{}, err
	}
	n := doctor.Network{Domain: int(cfg.DomainID), Multicast: multicastWorks()}
	cfg.Logger = slog.New(slog.DiscardHandler)
	transport, err := rmw.New(cfg)
	if err != nil {
		return doctor.Network{}, err
	}
	select {
	case <-time.After(roleCall):
	case <-ctx.Done():
	}
	for _, p := range transport.Participant().Participants() {
		name := p.EntityName
		if name == "" {
			name = "unnamed"
		}
		if len(p.DefaultUnicast) > 0 {
			if at, ok := p.DefaultUnicast[0].AddrPort(); ok {
				name += " at " + at.Addr().String()
			}
		}
		n.Participants = append(n.Participants, name)
	}
	slices.Sort(n.Participants)
	if err := transport.Close(); err != nil {
		return n, fmt.Errorf("leaving the network: %w", err)
	}
	return n, nil
}

// multicastWorks reports whether multicasts come back on some interface that others are on.
func multicastWorks() bool {
	all, err := doctor.ThisMachine("").Interfaces()
	if err != nil {
		return false
	}
	for _, i := range all {
		if i.Up && !i.Loopback && len(i.Addresses) > 0 {
			if works, err := doctor.Multicast(i.Name, multicastWait); err == nil && works {
				return true
			}
		}
	}
	return false
}
