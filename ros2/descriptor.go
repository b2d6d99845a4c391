// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"fmt"
	"math"
)

// FloatRange bounds a double, as rcl_interfaces/msg/FloatingPointRange.
type FloatRange struct {
	// From and To are the minimum and maximum value.
	From, To float64
	// Step is the distance between allowed values, counted from From; 0 allows all. To is allowed even if it is not a
	// multiple.
	Step float64
}

// IntegerRange bounds an integer, as rcl_interfaces/msg/IntegerRange; its
// fields are those of [FloatRange].
type IntegerRange struct {
	From, To int64
	Step     uint64
}

// FloatBetween returns the range from … to without steps.
func FloatBetween(from, to float64) *FloatRange { return &FloatRange{From: from, To: to} }

// IntegerBetween returns the range from … to without steps.
func IntegerBetween(from, to int64) *IntegerRange { return &IntegerRange{From: from, To: to} }

// ParameterDescriptor declares a parameter.
type ParameterDescriptor struct {
	// Name consists of words joined by dots, as in "camera.width".
	Name string
	// Type defaults to the type of Default.
	Type ParameterType
	// Default is the value unless the command line or a parameter file overrides
	// it. It may be "not set" where Type is given; without an override the
	// parameter then stays unset until it is set.
	Default ParameterValue
	// Description and Constraints are shown by "ros2 param describe".
	Description, Constraints string
	// FloatRange bounds a double and each element of a double array,
	// IntegerRange an integer and each element of an integer array.
	FloatRange   *FloatRange
	IntegerRange *IntegerRange
	// OneOf lists the strings allowed; empty allows all. The service's
	// descriptor shows them among the constraints.
	OneOf []string
	// ReadOnly forbids changes after the declaration.
	ReadOnly bool
	// DynamicTyping allows values of other types.
	DynamicTyping bool
}

// Check returns nil if v is a value the parameter may have, else an
// [ErrParameterType] or [ErrParameterRange] naming the parameter.
func (d *ParameterDescriptor) Check(v ParameterValue) error {
	if v.kind != d.Type && !d.DynamicTyping {
		return fmt.Errorf("%w: parameter %q is of type %v, not %v", ErrParameterType, d.Name, d.Type, v.kind)
	}
	switch l := v.list.(type) {
	case []float64:
		for _, x := range l {
			if err := d.checkFloat(x); err != nil {
				return err
			}
		}
	case []int64:
		for _, x := range l {
			if err := d.checkInteger(x); err != nil {
				return err
			}
		}
	}
	switch v.kind {
	case ParameterDouble:
		return d.checkFloat(v.Double())
	case ParameterInteger:
		return d.checkInteger(v.Integer())
	case ParameterString:
		return d.checkString(v.str)
	}
	return nil
}

func (d *ParameterDescriptor) checkFloat(x float64) error {
	r := d.FloatRange
	if r == nil || x == r.To {
		return nil
	}
	if !(x >= r.From && x <= r.To) { // NaN is in no range
		return fmt.Errorf("%w: %q = %v is not between %v and %v", ErrParameterRange, d.Name, x, r.From, r.To)
	}
	if r.Step > 0 {
		steps := (x - r.From) / r.Step
		// A step such as 0.1 is not a binary fraction, hence the tolerance.
		if math.Abs(steps-math.Round(steps)) > 1e-6*math.Max(1, math.Abs(steps)) {
			return fmt.Errorf("%w: %q = %v is not %v plus a multiple of %v", ErrParameterRange, d.Name, x, r.From, r.Step)
		}
	}
	return nil
}

func (d *ParameterDescriptor) checkInteger(x int64) error {
	r := d.IntegerRange
	if r == nil || x == r.To {
		return nil
	}
	if x < r.From || x > r.To {
		return fmt.Errorf("%w: %q = %d is not between %d and %d", ErrParameterRange, d.Name, x, r.From, r.To)
	}
	if r.Step > 0 && uint64(x-r.From)%r.Step != 0 { // the difference wraps into uint64 correctly
		return fmt.Errorf("%w: %q = %d is not %d plus a multiple of %d", ErrParameterRange, d.Name, x, r.From, r.Step)
	}
	return nil
}

func (d *ParameterDescriptor) checkString(s string) error {
	if len(d.OneOf) == 0 {
		return nil
	}
	for _, allowed := range d.OneOf {
		if s == allowed {
			return nil
		}
	}
	return fmt.Errorf("%w: %q = %q is none of %q", ErrParameterRange, d.Name, s, d.OneOf)
}
