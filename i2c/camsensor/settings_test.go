// SPDX-License-Identifier: Apache-2.0

package camsensor

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func isErr(err, target error) bool { return errors.Is(err, target) }

func TestValidate(t *testing.T) {
	for name, c := range map[string]struct {
		s    Settings
		good bool
	}{
		"automatic":            {Settings{}, true},
		"everything":           {Settings{true, true, time.Millisecond, 4, Balance{1, 1, 1}, true}, true},
		"shortest":             {Settings{Exposure: minExposure}, true},
		"longest":              {Settings{Exposure: MaxExposure}, true},
		"too short":            {Settings{Exposure: minExposure - 1}, false},
		"too long":             {Settings{Exposure: MaxExposure + 1}, false},
		"negative":             {Settings{Exposure: -1}, false},
		"most gain":            {Settings{Gain: MaxGain}, true},
		"too much gain":        {Settings{Gain: MaxGain + 0.1}, false},
		"no gain":              {Settings{Gain: 0.5}, false},
		"gain of nothing":      {Settings{Gain: math.NaN()}, false},
		"balance":              {Settings{Balance: Balance{0, 1, 3.9}}, true},
		"balance of nothing":   {Settings{Balance: Balance{math.NaN(), 1, 1}}, false},
		"balance too much":     {Settings{Balance: Balance{1, 4, 1}}, false},
		"balance negative":     {Settings{Balance: Balance{1, 1, -1}}, false},
		"balance, green is 0":  {Settings{Balance: Balance{1, 0, 1}}, false},
		"infinite gain":        {Settings{Gain: math.Inf(1)}, false},
		"infinite balance":     {Settings{Balance: Balance{1, math.Inf(1), 1}}, false},
		"longest but one unit": {Settings{Exposure: MaxExposure - 1}, true},
	} {
		if err := c.s.validate(); (err == nil) != c.good || !c.good && !isErr(err, errSettings) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if r := MaxExposure.Seconds(); math.Abs(r-1.0/15) > 1e-6 {
		t.Errorf("the longest exposure is %v s, a frame lasts 1/15", r)
	}
}

// TestGainBits: the sensor's formula returns the gain, within the step of its mantissa.
func TestGainBits(t *testing.T) {
	for gain, want := range map[float64]uint16{1: 0, 1.5: 8, 2: 0x10, 3: 0x18, 4: 0x30, 15.99: 0xF0, 32: 0x1F0} {
		if got := ovGainBits(gain); got != want {
			t.Errorf("gain %v: %#x, want %#x", gain, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		gain := rapid.Float64Range(1, MaxGain).Draw(t, "gain")
		b := ovGainBits(gain)
		back := float64(uint(1)<<bits.OnesCount16(b>>4)) * (1 + float64(b&15)/16)
		if b > 0x3FF || math.Abs(back-gain)/gain > 1.0/32+1e-9 {
			t.Fatalf("gain %v: %#x is %v", gain, b, back)
		}
	})
}

// TestPrograms: with any settings, a sequence begins and ends the same, fits its memory and does not write IDs.
func TestPrograms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Settings{Mirror: rapid.Bool().Draw(t, "m"), Flip: rapid.Bool().Draw(t, "f"), TestPattern: rapid.Bool().Draw(t, "t")}
		if rapid.Bool().Draw(t, "exposure") {
			s.Exposure = time.Duration(rapid.Int64Range(int64(minExposure), int64(MaxExposure)).Draw(t, "e"))
		}
		if rapid.Bool().Draw(t, "gain") {
			s.Gain = rapid.Float64Range(1, MaxGain).Draw(t, "g")
		}
		if rapid.Bool().Draw(t, "balance") {
			v := rapid.Float64Range(0.1, maxBalance)
			s.Balance = Balance{v.Draw(t, "r"), v.Draw(t, "gr"), v.Draw(t, "b")}
		}
		if err := s.validate(); err != nil {
			t.Fatal(err)
		}
		ov, po := program(nil, ov7670, &s), program(nil, po8030, &s)
		if len(ov) > 64 || len(po) > 64 {
			t.Fatalf("%d and %d steps", len(ov), len(po))
		}
		if ov[0].reg != ovCOM7 || ov[0].wait != ovReset || !ov[len(ov)-1].look || !po[len(po)-1].look {
			t.Fatal("begin or end")
		}
		bank := byte(0xEE)
		for _, o := range po {
			if o.reg == poBank {
				bank = o.value
			} else if o.reg < poBank || bank > bankC {
				t.Fatalf("%+v in bank %d", o, bank)
			}
		}
		if bank != bankA {
			t.Fatalf("bank %d is left selected", bank)
		}
		for _, o := range ov {
			if o.reg == 0x0A || o.reg == 0x0B || o.mask != 0 && o.value&^o.mask != 0 {
				t.Fatalf("%+v", o)
			}
		}
	})
}

func TestNames(t *testing.T) {
	if got := fmt.Sprint(none, ov7670, po8030, po6030, po3030, Model(9)); got !=
		"none OV7670 PO8030 PO6030 PO3030 model 9" {
		t.Error(got)
	}
}

// FuzzIdentify: only four pairs of address and ID are sensors.
func FuzzIdentify(f *testing.F) {
	for _, id := range []uint16{0x7673, 0x8030, 0x6030, 0x3030, 0, 0xFFFF} {
		f.Add(uint16(AddrOV), id)
		f.Add(uint16(AddrPO), id)
	}
	f.Fuzz(func(t *testing.T, addr, id uint16) {
		m, err := identify(addr, id)
		known := addr == AddrOV && id == 0x7673 || addr == AddrPO && (id == 0x8030 || id == 0x6030 || id == 0x3030)
		if (err == nil) != known || (m != none) != known || err != nil && !isErr(err, errIdentity) {
			t.Fatalf("%#x %#x: %v %v", addr, id, m, err)
		}
	})
}
