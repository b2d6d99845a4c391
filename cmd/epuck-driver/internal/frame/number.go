// SPDX-License-Identifier: Apache-2.0

package frame

import (
	"math"
	"strconv"
	"strings"

	"github.com/epuck-ros2/epuck-driver/ros2/shell"
)

// Number reads a finite number of the command line; what says which one, as in "speed". Numbers have a decimal point:
// one with a comma is an error that says so.
func Number(what, text string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	switch {
	case err != nil:
		return 0, Usagef("%q is no %s%s", text, what, shell.PointHint(text))
	case math.IsNaN(v) || math.IsInf(v, 0):
		return 0, Usagef("%q is no finite %s", text, what)
	}
	return v, nil
}
