// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"strconv"
	"strings"

	"github.com/epuck-ros2/epuck-driver/msgs/internal/idl"
)

// goLiteral returns a value as Go source.
func goLiteral(b idl.Base, v idl.Value) string {
	switch b {
	case idl.Bool:
		return strconv.FormatBool(v.Bool)
	case idl.Int8, idl.Int16, idl.Int32, idl.Int64:
		return strconv.FormatInt(v.Int, 10)
	case idl.Float32, idl.Float64:
		return strconv.FormatFloat(v.Float, 'g', -1, b.Bits())
	case idl.String:
		return strconv.Quote(v.Str)
	}
	return strconv.FormatUint(v.Uint, 10)
}

// goLiterals returns the elements of a list as Go source.
func goLiterals(b idl.Base, values []idl.Value) string {
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = goLiteral(b, v)
	}
	return strings.Join(parts, ", ")
}
