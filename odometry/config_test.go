// SPDX-License-Identifier: Apache-2.0

package odometry

import (
	"errors"
	"math"
	"strings"
	"testing"
)

func TestDefaults(t *testing.T) {
	o, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	if c := o.Config(); c.WheelRadius != 0.02 || c.WheelDistance != 0.05685 || c.StepsPerTurn != 1000 || math.Abs(c.TopSpeed-1111.1) > 0.1 {
		t.Errorf("%+v", c)
	}
	if o.State() != (State{}) {
		t.Errorf("not at the origin: %+v", o.State())
	}
}

func TestBadConfig(t *testing.T) {
	for _, v := range []float64{-1, math.NaN(), math.Inf(1), math.Inf(-1), 1e-300, 1e300} {
		for name, set := range map[string]func(*Config){
			"WheelRadius":   func(c *Config) { c.WheelRadius = v },
			"RadiusRatio":   func(c *Config) { c.RadiusRatio = v },
			"Covariance":    func(c *Config) { c.Covariance[4] = v },
			"WheelDistance": func(c *Config) { c.WheelDistance = v },
			"StepsPerTurn":  func(c *Config) { c.StepsPerTurn = v },
			"TopSpeed":      func(c *Config) { c.TopSpeed = v },
			"SlipStd":       func(c *Config) { c.SlipStd = v },
			"TurnStd":       func(c *Config) { c.TurnStd = v },
			"QuantStd":      func(c *Config) { c.QuantStd = v },
		} {
			var c Config
			set(&c)
			if name == "Covariance" && v == 1e-300 {
				continue // surer than anything can be, and still a covariance
			}
			if o, err := New(c); !errors.Is(err, errConfig) || o != nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%s %v: %v", name, v, err)
			}
		}
	}
}

func TestSetGeometryRefused(t *testing.T) {
	o := start(t, Config{}, 0, 0)
	drive(o, 100, 50)
	before := *o
	for _, v := range []float64{-0.02, math.NaN(), math.Inf(1)} {
		if err := o.SetGeometry(Config{WheelRadius: v}); !errors.Is(err, errConfig) || !strings.Contains(err.Error(), "WheelRadius") {
			t.Errorf("radius %v: %v", v, err)
		}
		if err := o.SetGeometry(Config{WheelDistance: v}); !errors.Is(err, errConfig) || !strings.Contains(err.Error(), "WheelDistance") {
			t.Errorf("distance %v: %v", v, err)
		}
	}
	for _, p := range [][9]float64{
		{1: 1e-4, 3: 1e-4}, {0: 1e-4, 4: 1e-4, 1: 1e-4}, {0: 1e-4, 4: 1e-4, 1: 2e-4, 3: 2e-4}, {8: 2},
		{1, 0.9, 0.9, 0.9, 1, -0.9, 0.9, -0.9, 1},
	} {
		if err := o.SetGeometry(Config{Covariance: p}); !errors.Is(err, errConfig) || !strings.Contains(err.Error(), "Covariance") {
			t.Errorf("covariance %v: %v", p, err)
		}
	}
	if *o != before {
		t.Error("a refused geometry changed something")
	}
}
