// SPDX-License-Identifier: Apache-2.0

package simulated_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/acceptance/checks"
	"github.com/epuck-ros2/epuck-driver/acceptance/misbuilt"
	"github.com/epuck-ros2/epuck-driver/acceptance/simulated"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/i2c/pipuck"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// test runs the whole test on a robot.
func test(t *testing.T, seed uint64, faults ...string) []checks.Result {
	t.Helper()
	r, err := simulated.New(seed, faults...)
	if err != nil {
		t.Fatal(err)
	}
	results, err := checks.Run(context.Background(), r.Tested, r, checks.Options{})
	if err != nil && !slices.Contains(faults, "firmware-standard") {
		t.Fatal(err)
	}
	if v := r.Truth(); v.LeftSpeed != 0 || v.RightSpeed != 0 {
		t.Errorf("the wheels turn at %g and %g rad/s after the test", v.LeftSpeed, v.RightSpeed)
	}
	return results
}

// describe lists what was found.
func describe(results []checks.Result) (text string) {
	for _, r := range results {
		for _, m := range r.Unexpected() {
			text += fmt.Sprintf("\n%s: %s = %g %s, expected %g to %g", r.Name, m.Name, m.Value, m.Unit, m.Low, m.High)
		}
		for _, f := range r.Faults {
			text += fmt.Sprintf("\n%s: fault %s: %s", r.Name, f.Name, f.Text)
		}
	}
	return text
}

func TestEachFaultIsFoundAndNamed(t *testing.T) {
	list := misbuilt.Faults()
	if len(list) < 30 {
		t.Errorf("%d faults", len(list))
	}
	for i, f := range list {
		if !suite.Long && i%5 != 0 {
			continue
		}
		results := test(t, uint64(i), f.Name)
		named := slices.ContainsFunc(results, func(r checks.Result) bool {
			return r.Verdict == checks.Failed && slices.ContainsFunc(r.Faults, func(n checks.Fault) bool { return n.Name == f.Name })
		})
		if !named {
			t.Errorf("%s is not named:%s", f.Name, describe(results))
		}
	}
}

func TestRightRobotsPass(t *testing.T) {
	seeds := 100
	if !suite.Long {
		seeds = 5
	}
	for seed := range seeds {
		if text := describe(test(t, uint64(seed))); text != "" {
			t.Errorf("seed %d:%s", seed, text)
		}
	}
}

// TestLightsAreSeenAsTheyAre: the person says what the LEDs show, not what was commanded.
func TestLightsAreSeenAsTheyAre(t *testing.T) {
	for _, c := range []struct {
		leds   mcu.LEDs
		rgb    [4]mcu.RGB
		light  int
		colour pipuck.Colour
		seen   bool
	}{
		{mcu.LED3, [4]mcu.RGB{}, 2, pipuck.Red, true},
		{mcu.LED3, [4]mcu.RGB{}, 4, pipuck.Red, false},
		{mcu.LED3 | mcu.LED5, [4]mcu.RGB{}, 2, pipuck.Red, false}, // another one, too
		{0, [4]mcu.RGB{2: {B: 100}}, 5, pipuck.Blue, true},
		{0, [4]mcu.RGB{2: {R: 100}}, 5, pipuck.Blue, false},
		{0, [4]mcu.RGB{}, 5, pipuck.Blue, false},
	} {
		r, err := simulated.New(1)
		if err != nil {
			t.Fatal(err)
		}
		dev, err := mcu.New(r.Tested.Bus, &mcu.Opts{Now: r.Tested.Now})
		if err != nil {
			t.Fatal(err)
		}
		r.Tested.Sleep(2 * time.Second) // the processor starts
		if _, err := dev.Exchange(mcu.Command{LEDs: c.leds, RGB: c.rgb}); err != nil {
			t.Fatal(err)
		}
		r.Tested.Sleep(time.Second)
		a, err := r.Do(context.Background(), checks.Request{Task: checks.SeeLight, Light: c.light, Colour: c.colour})
		if err != nil || (a.Note == "") != c.seen {
			t.Errorf("LEDs %04b, %v: light %d in %v: %q, %v", c.leds, c.rgb, c.light, c.colour, a.Note, err)
		}
	}
}

func TestOtherRobotsThanThoseOfTheLevelFirmwareAreRefused(t *testing.T) {
	d, err := simulated.Faultless()
	if err != nil {
		t.Fatal(err)
	}
	d.Level = world.LevelFunctional
	if _, err := simulated.Make(d, 1); !errors.Is(err, world.ErrWorld) {
		t.Errorf("%v", err)
	}
}
