// SPDX-License-Identifier: Apache-2.0

package simulate

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/cuse"
)

func TestParseSim(t *testing.T) {
	for _, c := range []struct {
		args    string
		problem string // "" for none
	}{
		{"--i2c-device 12", ""},
		{"--i2c-device 12 --i2c-board-device 11 --truth /run/truth.json --node --for 3s", ""},
		{"--i2c-board-device 11", "go with --i2c-device"},
		{"--node", "go with --i2c-device"},
		{"--i2c-device 12 --i2c-board-device 12", "can't both be"},
		{"--i2c-device twelve", "invalid"},
	} {
		o, err := parseSim(c.args)
		if c.problem == "" && (err != nil || o.device != 12) {
			t.Errorf("%s: %v, %+v", c.args, err, o)
		}
		if c.problem != "" && (err == nil || !strings.Contains(err.Error(), c.problem)) {
			t.Errorf("%s: %v, want %q", c.args, err, c.problem)
		}
	}
	if o, err := parseSim(""); err != nil || o.device >= 0 || o.board >= 0 {
		t.Errorf("without arguments: %v, %+v", err, o)
	}
}

// parseSim reads the flags of sim.
func parseSim(args string) (o simOptions, err error) {
	flags := pflag.NewFlagSet("sim", pflag.ContinueOnError)
	o.flags(flags)
	if err := flags.Parse(strings.Fields(args)); err != nil {
		return o, err
	}
	return o, o.check()
}

func newRobot(t *testing.T) *sim.Firmware {
	t.Helper()
	world, err := sim.LoadWorld("arena")
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.New(world, sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return sim.RobotsOf[*sim.Firmware](s)[0]
}

// A machine that can't make device files says what it lacks and how to get it; what was to run does not run.
func TestNoDevices(t *testing.T) {
	if _, err := os.Stat("/dev/cuse"); err == nil {
		t.Skip("this machine has CUSE: what follows is tested in the virtual machine")
	}
	var out, errs bytes.Buffer
	if got := frame.Dispatch(t.Context(), frame.Streams{Out: &out, Err: &errs}, []string{"sim", "--i2c-device", "12"}, []frame.Group{{ID: "robot", Title: "The robot:", Commands: []frame.Maker{NewCommand}}}); got != frame.ExitFailed {
		t.Errorf("status %d", got)
	}
	if !strings.Contains(errs.String(), "modprobe cuse") || out.Len() != 0 {
		t.Errorf("%s%s", &out, &errs)
	}
	s := newSockets(newRobot(t), 12, noDevice, slog.New(slog.DiscardHandler))
	ran := false
	err := s.offer(t.Context(), func(context.Context) error { ran = true; return nil })
	if !errors.Is(err, cuse.ErrUnavailable) || ran || len(s.paths()) != 0 {
		t.Errorf("%v, ran %v, %v", err, ran, s.paths())
	}
}

// Without devices the rest works the same: the truth is written, the end comes with the context or with a failure.
func TestOffer(t *testing.T) {
	robot, log := newRobot(t), slog.New(slog.DiscardHandler)
	file := t.TempDir() + "/truth.json"
	devices := newSockets(robot, noDevice, noDevice, log)
	offer := func(truth string, f func(context.Context) error) error {
		return devices.offer(t.Context(), func(ctx context.Context) error { return withTruth(ctx, robot, truth, devices.paths, f) })
	}
	if err := offer(file, func(context.Context) error { return nil }); err != nil {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
	err := offer("/no/such/folder/truth.json", func(ctx context.Context) error {
		<-ctx.Done() // the watcher's failure ends it
		return nil
	})
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
	broken := errors.New("broken")
	err = offer("", func(context.Context) error { return broken })
	if !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

func TestDeviceBanner(t *testing.T) {
	var b strings.Builder
	if err := deviceBanner(&b, "arena", "epuck", 12, 11); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"/dev/i2c-12", "/dev/i2c-11", "i2cdetect -y 12", "i2cget -y 12 0x29 0xc0", "i2c_bus:=12", "SIGUSR1"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in %s", want, &b)
		}
	}
}
