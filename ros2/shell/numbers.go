// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"errors"
	"fmt"
	"math"
	"strconv"
)

// wholeNumber reads a number without a point.
func wholeNumber(v string) (int, bool) {
	n, err := strconv.ParseInt(v, 10, 32)
	return int(n), err == nil
}

// isPositiveFloat, isNonnegative, isPositive and isUnsigned check the values of
// options; their texts are those of the ros2 command.
func isPositiveFloat(v string) error {
	if f, err := strconv.ParseFloat(v, 64); err != nil || !(f > 0) || math.IsInf(f, 0) {
		return fmt.Errorf("invalid positive_float value: '%s'", v)
	}
	return nil
}

func isNonnegative(v string) error {
	if n, ok := wholeNumber(v); !ok || n < 0 {
		return fmt.Errorf("invalid nonnegative_int value: '%s'", v)
	}
	return nil
}

func isPositive(v string) error {
	if n, ok := wholeNumber(v); !ok || n <= 0 {
		return errors.New("value must be a positive integer")
	}
	return nil
}

func isUnsigned(v string) error {
	if n, ok := wholeNumber(v); !ok || n < 0 {
		return errors.New("value must be non-negative integer")
	}
	return nil
}

func isFloat(v string) error {
	if f, err := strconv.ParseFloat(v, 64); err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return fmt.Errorf("invalid float value: '%s'", v)
	}
	return nil
}
