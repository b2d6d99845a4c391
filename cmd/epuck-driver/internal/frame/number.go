// SPDX-License-Identifier: Apache-2.0

package frame

import (
	"math"
	"strconv"
	"strings"

	"github.com/epuck-ros2/epuck-driver/ros2/shell"
)

// Number parses a finite number of the command line; what is its name in errors, such as "speed". Numbers have a
// decimal point: the error for one with a comma suggests it.
func Number(what, text string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	switch {
	case err != nil:
		return 0, Usagef("%q is not a %s%s", text, what, shell.PointHint(text))
	case math.IsNaN(v) || math.IsInf(v, 0):
		return 0, Usagef("%q is not a finite %s", text, what)
	}
	return v, nil
}
