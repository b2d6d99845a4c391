// SPDX-License-Identifier: Apache-2.0

package table

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/axes"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

func text(name, value string, dynamic bool, meaning string) Parameter {
	return Parameter{Name: name, Default: ros2.StringValue(value), Dynamic: dynamic, Meaning: meaning}
}

// choice returns a string parameter whose default is the first of the valid values.
func choice(name string, values []string, dynamic bool, meaning string) Parameter {
	p := text(name, values[0], dynamic, meaning)
	p.Choices = values
	return p
}

// list returns a parameter with several doubles.
func list(name string, value []float64, meaning string) Parameter {
	return Parameter{Name: name, Default: ros2.DoubleArrayValue(value), Meaning: meaning}
}

func flag(name string, value, dynamic bool, meaning string) Parameter {
	return Parameter{Name: name, Default: ros2.BoolValue(value), Dynamic: dynamic, Meaning: meaning}
}

func number(name string, value, least, most float64, unit string, dynamic bool, meaning string) Parameter {
	return Parameter{
		Name: name, Default: ros2.DoubleValue(value), Min: least, Max: most,
		Unit: unit, Dynamic: dynamic, Meaning: meaning,
	}
}

// integer returns an integer parameter that can change while the driver runs; step 0 permits all values.
func integer(name string, value, least, most, step int64, unit, meaning string) Parameter {
	return Parameter{
		Name: name, Default: ros2.IntegerValue(value), Min: float64(least), Max: float64(most), Step: float64(step),
		Unit: unit, Dynamic: true, Meaning: meaning,
	}
}

// reader reads a parameter's value into the settings.
type reader func(s *draft, v ros2.ParameterValue) error

// reads returns the row with its reader.
func (p Parameter) reads(r reader) Parameter {
	p.read = r
	return p
}

func (p Parameter) double(at func(s *draft) *float64) Parameter {
	return p.reads(func(s *draft, v ros2.ParameterValue) error { *at(s) = v.Double(); return nil })
}

func (p Parameter) seconds(at func(s *draft) *time.Duration) Parameter {
	return p.reads(func(s *draft, v ros2.ParameterValue) error { *at(s) = ros2.Seconds(v.Double()); return nil })
}

func (p Parameter) bool(at func(s *draft) *bool) Parameter {
	return p.reads(func(s *draft, v ros2.ParameterValue) error { *at(s) = v.Bool(); return nil })
}

func (p Parameter) int(at func(s *draft) *int) Parameter {
	return p.reads(func(s *draft, v ros2.ParameterValue) error { *at(s) = int(v.Integer()); return nil })
}

func (p Parameter) text(at func(s *draft) *string) Parameter {
	return p.reads(func(s *draft, v ros2.ParameterValue) error { *at(s) = v.Str(); return nil })
}

// vector reads len(at) finite numbers.
func (p Parameter) vector(at func(s *draft) []float64) Parameter {
	return p.reads(func(s *draft, v ros2.ParameterValue) error { return fill(at(s), v.DoubleArray()) })
}

// rotation reads a rotation matrix.
func (p Parameter) rotation(at func(s *draft) *[9]float64) Parameter {
	return p.reads(func(s *draft, v ros2.ParameterValue) error {
		if _, err := axes.RotationOf(v.DoubleArray()); err != nil {
			return err
		}
		copy(at(s)[:], v.DoubleArray())
		return nil
	})
}

// frame reads the name of a frame. tf2 rejects a leading slash, and the empty name, which can only be a prefix.
func (p Parameter) frame(at func(s *draft) *string) Parameter {
	return p.reads(func(s *draft, v ros2.ParameterValue) error {
		*at(s) = v.Str()
		switch {
		case strings.HasPrefix(v.Str(), "/"):
			return fmt.Errorf("%w: %q begins with a slash, which tf2 rejects", errFrame, v.Str())
		case v.Str() == "" && p.Default.Str() != "":
			return fmt.Errorf("%w: empty name", errFrame)
		}
		return nil
	})
}

var errFrame = errors.New("invalid frame")
