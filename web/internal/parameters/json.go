// SPDX-License-Identifier: Apache-2.0

package parameters

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/epuck-ros2/epuck-driver/msgs/rcl_interfaces"
)

// ErrValue is matched when a JSON value is not of the parameter's type.
var ErrValue = errors.New("parameters: bad value")

// Type hints of Foxglove's protocol: JSON alone does not distinguish 1 from 1.0, nor octets from text.
const (
	HintBytes  = "byte_array"
	HintFloat  = "float64"
	HintFloats = "float64_array"
)

// Tree returns a value in the form for package json, and Foxglove's hint of its type; nil if it is not set. Doubles
// that JSON does not have are nil.
func Tree(v *rcl_interfaces.ParameterValue) (tree any, hint string) {
	switch v.Type {
	case rcl_interfaces.ParameterTypeBool:
		return v.BoolValue, ""
	case rcl_interfaces.ParameterTypeInteger:
		return v.IntegerValue, ""
	case rcl_interfaces.ParameterTypeDouble:
		return number(v.DoubleValue), HintFloat
	case rcl_interfaces.ParameterTypeString:
		return v.StringValue, ""
	case rcl_interfaces.ParameterTypeByteArray:
		return base64.StdEncoding.EncodeToString(v.ByteArrayValue), HintBytes
	case rcl_interfaces.ParameterTypeBoolArray:
		return list(v.BoolArrayValue), ""
	case rcl_interfaces.ParameterTypeIntegerArray:
		return list(v.IntegerArrayValue), ""
	case rcl_interfaces.ParameterTypeDoubleArray:
		numbers := make([]any, len(v.DoubleArrayValue))
		for i, x := range v.DoubleArrayValue {
			numbers[i] = number(x)
		}
		return numbers, HintFloats
	case rcl_interfaces.ParameterTypeStringArray:
		return list(v.StringArrayValue), ""
	}
	return nil, ""
}

func number(x float64) any {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return x
}

// list returns a list that is not null in JSON.
func list[T any](values []T) []T {
	if values == nil {
		return []T{}
	}
	return values
}

// FromJSON reads a value. was is the current type of the parameter, which decides between 1 and 1.0; if that is not
// set, the value and its hint decide.
func FromJSON(data []byte, hint string, was uint8) (rcl_interfaces.ParameterValue, error) {
	v := rcl_interfaces.ParameterValue{Type: was}
	if was == rcl_interfaces.ParameterTypeNotSet {
		v.Type = guess(data, hint)
	}
	var err error
	switch v.Type {
	case rcl_interfaces.ParameterTypeBool:
		err = json.Unmarshal(data, &v.BoolValue)
	case rcl_interfaces.ParameterTypeInteger:
		v.IntegerValue, err = whole(data)
	case rcl_interfaces.ParameterTypeDouble:
		err = json.Unmarshal(data, &v.DoubleValue)
	case rcl_interfaces.ParameterTypeString:
		err = json.Unmarshal(data, &v.StringValue)
	case rcl_interfaces.ParameterTypeByteArray:
		err = json.Unmarshal(data, &v.ByteArrayValue) // base64, says package json
	case rcl_interfaces.ParameterTypeBoolArray:
		err = json.Unmarshal(data, &v.BoolArrayValue)
	case rcl_interfaces.ParameterTypeIntegerArray:
		err = json.Unmarshal(data, &v.IntegerArrayValue)
	case rcl_interfaces.ParameterTypeDoubleArray:
		err = json.Unmarshal(data, &v.DoubleArrayValue)
	case rcl_interfaces.ParameterTypeStringArray:
		err = json.Unmarshal(data, &v.StringArrayValue)
	default:
		return v, fmt.Errorf("%w: %.40s", ErrValue, data)
	}
	if err != nil {
		return v, fmt.Errorf("%w: %w", ErrValue, err)
	}
	return v, nil
}

// whole reads an integer, also in the form 3.0.
func whole(data []byte) (int64, error) {
	var i int64
	if err := json.Unmarshal(data, &i); err == nil {
		return i, nil
	}
	var f float64
	if err := json.Unmarshal(data, &f); err != nil {
		return 0, err
	}
	if f != math.Trunc(f) || math.Abs(f) >= 1<<53 {
		return 0, fmt.Errorf("%v is no whole number", f)
	}
	return int64(f), nil
}

// guess returns the type of a value without a hint; not set if it has none.
func guess(data []byte, hint string) uint8 {
	switch hint {
	case HintBytes:
		return rcl_interfaces.ParameterTypeByteArray
	case HintFloat:
		return rcl_interfaces.ParameterTypeDouble
	case HintFloats:
		return rcl_interfaces.ParameterTypeDoubleArray
	}
	for _, c := range []struct {
		typ  uint8
		into any
	}{
		{rcl_interfaces.ParameterTypeBool, new(bool)}, {rcl_interfaces.ParameterTypeInteger, new(int64)},
		{rcl_interfaces.ParameterTypeDouble, new(float64)}, {rcl_interfaces.ParameterTypeString, new(string)},
		{rcl_interfaces.ParameterTypeBoolArray, &[]bool{}}, {rcl_interfaces.ParameterTypeIntegerArray, &[]int64{}},
		{rcl_interfaces.ParameterTypeDoubleArray, &[]float64{}}, {rcl_interfaces.ParameterTypeStringArray, &[]string{}},
	} {
		if string(data) != "null" && json.Unmarshal(data, c.into) == nil {
			return c.typ
		}
	}
	return rcl_interfaces.ParameterTypeNotSet
}
