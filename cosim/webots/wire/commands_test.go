// SPDX-License-Identifier: Apache-2.0

package wire_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
)

const (
	half = "000000000000e03f" // 0.5
	none = "000000000000f0bf" // −1
	hi   = "0300 686900"
)

// golden is every command with its bytes; of lists of sounds TestCommands has more.
func golden() map[wire.Kind]map[string]wire.Command {
	measured := func(more map[string]wire.Command) map[string]wire.Command {
		all := map[string]wire.Command{"01 0102": {Code: 1, Number: [2]int32{0x201}}}
		for text, c := range more {
			all[text] = c
		}
		return all
	}
	one := [2]int32{1}
	value := func(code uint16, v float64) wire.Command { return wire.Command{Code: code, Value: [3]float64{v}} }
	motor := map[string]wire.Command{
		"0100" + half: value(1, 0.5), "0200" + half: value(2, 0.5), "0300" + half: value(3, 0.5), "0400" + half: value(4, 0.5),
		"0500 2000": {Code: 5, Number: [2]int32{32}}, "0600" + none: value(6, -1),
		"0700" + half + none + half: {Code: 7, Value: [3]float64{0.5, -1, 0.5}}, "0800 3400": {Code: 8, Number: [2]int32{52}},
	}
	return map[wire.Kind]map[string]wire.Command{
		wire.Robot: {
			"1e 02 03000000 686900": {Code: 30, Number: [2]int32{2}, Text: "hi"},
			"1f ffff":               {Code: 31, Number: [2]int32{65535}},
			"20":                    {Code: 32},
			"21":                    {Code: 33},
			"22 2000":               {Code: 34, Number: [2]int32{32}},
			"23 4000":               {Code: 35, Number: [2]int32{64}},
			"24 0000":               {Code: 36},
			"25" + hi:               {Code: 37, Text: "hi"},
			"26":                    {Code: 38},
			"27 01":                 {Code: 39, Number: one},
			"28 01":                 {Code: 40, Number: one},
			"2e" + hi:               {Code: 46, Text: "hi"},
			"50 07000000 ffffffff":  {Code: 80, Number: [2]int32{7, -1}},
			"51 03000000 000102":    {Code: 81, Data: []byte{0, 1, 2}},
		},
		wire.Motor:       motor,
		wire.LinearMotor: motor,
		wire.Lidar:       measured(map[string]wire.Command{"10" + half: value(16, 0.5), "11": {Code: 17}, "12": {Code: 18}}),
		wire.Compass:     measured(nil), wire.GPS: measured(nil), wire.InertialUnit: measured(nil), wire.TouchSensor: measured(nil),
		wire.Camera: measured(map[string]wire.Command{
			"04" + half: value(4, 0.5), "05" + half: value(5, 0.5), "06" + half: value(6, 0.5),
			"0a 2000": {Code: 10, Number: [2]int32{32}}, "0b 01": {Code: 11, Number: one},
		}),
		wire.PositionSensor: measured(map[string]wire.Command{"02 3900": {Code: 2, Number: [2]int32{57}}}),
		wire.Receiver:       measured(map[string]wire.Command{"02 01000000": {Code: 2, Number: one}}),
		wire.Accelerometer:  measured(nil), wire.Gyro: measured(nil), wire.DistanceSensor: measured(nil), wire.LightSensor: measured(nil),
		wire.LED: {"01 00ff8000": {Code: 1, Number: [2]int32{0x80FF00}}},
		wire.Emitter: {
			"00 ffffffff" + half + "01000000 61": {Code: 0, Number: [2]int32{-1}, Value: [3]float64{0.5}, Data: []byte("a")},
			"01 05000000":                        {Code: 1, Number: [2]int32{5}},
			"02" + none:                          value(2, -1),
		},
		wire.Speaker: {
			"01 01000000" + hi + half + none + half + "0201 01 02000000 6f6b": {
				Code: 1, Text: "hi", Value: [3]float64{0.5, -1, 0.5}, Number: [2]int32{0x102, 1}, Data: []byte("ok"),
			},
			"02 0100" + hi:   {Code: 2, Text: "hi"},
			"03" + hi:        {Code: 3, Text: "hi"},
			"04" + hi:        {Code: 4, Text: "hi"},
			"05" + hi + half: {Code: 5, Text: "hi", Value: [3]float64{0.5}},
		},
	}
}

// Every command of every kind, whole and cut off at each of its bytes: a piece of one is refused, and nothing of it is
// kept.
func TestGoldenCommands(t *testing.T) {
	for kind, all := range golden() {
		for text, want := range all {
			b := unhex(t, text)
			list, err := wire.Latest().Commands(kind, b)
			if err != nil || !reflect.DeepEqual(list, []wire.Command{want}) {
				t.Errorf("kind %d, %s: %+v, %v", kind, text, list, err)
			}
			for n := 1; n < len(b); n++ {
				if list, err := wire.Latest().Commands(kind, b[:n]); !errors.Is(err, wire.ErrShort) || list != nil {
					t.Errorf("kind %d, %d bytes of %s: %+v, %v", kind, n, text, list, err)
				}
			}
		}
	}
}

// What is no command of a kind is refused, by its code and kind; the commands are those of the golden bytes and no
// more.
func TestNoCommand(t *testing.T) {
	for kind, all := range golden() {
		known := map[uint16]bool{}
		for _, c := range all {
			known[c.Code] = true
		}
		for code := range uint16(256) {
			b := []byte{byte(code)}
			if kind == wire.Motor || kind == wire.LinearMotor {
				b = append(b, 0)
			}
			_, err := wire.Latest().Commands(kind, b)
			if errors.Is(err, wire.ErrCommand) == known[code] {
				t.Errorf("kind %d, code %d: %v", kind, code, err)
			}
			if want := fmt.Sprintf("%d of a device of kind %d", code, kind); !known[code] && !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %q", err, want)
			}
		}
	}
	if _, err := wire.Latest().Commands(wire.Motor, []byte{1, 1}); !errors.Is(err, wire.ErrCommand) {
		t.Errorf("a motor's code has two bytes: %v", err)
	}
	if _, err := wire.Latest().Commands(99, []byte{1, 0, 0}); !errors.Is(err, wire.ErrCommand) {
		t.Errorf("a kind that there is not: %v", err)
	}
}
