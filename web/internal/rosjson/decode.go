// SPDX-License-Identifier: Apache-2.0

package rosjson

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// ErrJSON is matched when a text is no message of the type. The error names the field.
var ErrJSON = errors.New("rosjson: bad message")

// Decode returns the message of a type from a JSON object. Missing fields have their defaults; fields
// that the type does not have, and numbers out of range, are errors. null is not-a-number, as are NaN and "NaN";
// Infinity and -Infinity are read with and without quotes. Octets are base64 or numbers. "now" is the time of a Time.
func Decode(t *dynamic.Type, data []byte) (*dynamic.Message, error) {
	d := json.NewDecoder(bytes.NewReader(Strict(data)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrJSON, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: text behind the object", ErrJSON)
	}
	return FromTree(t, v)
}

// FromTree is Decode for an object decoded by package json, with numbers as [json.Number].
func FromTree(t *dynamic.Type, v any) (*dynamic.Message, error) {
	object, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%w: %s wants an object", ErrJSON, t.Name)
	}
	return message(t, object, "")
}

func message(t *dynamic.Type, object map[string]any, path string) (*dynamic.Message, error) {
	m := dynamic.New(t)
	for name, v := range object {
		f, ok := m.Field(alias(t, name))
		if !ok {
			return nil, fmt.Errorf("%w: %s has no field %q", ErrJSON, t.Name, path+name)
		}
		if _, twice := object[f.Name]; twice && name != f.Name {
			return nil, fmt.Errorf("%w: %s and %s are one field", ErrJSON, path+name, f.Name)
		}
		value, err := fieldValue(f, v, path+name)
		if err != nil {
			return nil, err
		}
		if err := m.Set(f.Name, value); err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrJSON, path+name, err)
		}
	}
	return m, nil
}

// alias maps the names of ROS 1's time fields, which programs written for rosbridge use.
func alias(t *dynamic.Type, name string) string {
	if t.Name == "builtin_interfaces/msg/Time" || t.Name == "builtin_interfaces/msg/Duration" {
		switch name {
		case "secs":
			return "sec"
		case "nsecs":
			return "nanosec"
		}
	}
	return name
}

func fieldValue(f *dynamic.Field, v any, path string) (any, error) {
	if f.Container == dynamic.Single {
		return element(f, v, path)
	}
	octets := f.Kind == dynamic.Uint8 || f.Kind == dynamic.Byte
	if text, ok := v.(string); ok && octets {
		data, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrJSON, path, err)
		}
		return data, nil
	}
	list, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("%w: %s wants a list", ErrJSON, path)
	}
	values, data := make([]any, 0, len(list)), make([]byte, 0)
	for i, x := range list {
		e, err := element(f, x, path+"["+strconv.Itoa(i)+"]")
		if err != nil {
			return nil, err
		}
		if octets {
			n, _ := e.(uint64)
			data = append(data, byte(n))
		} else {
			values = append(values, e)
		}
	}
	if octets {
		return data, nil
	}
	return values, nil
}

// element reads one value of the field's kind.
func element(f *dynamic.Field, v any, path string) (any, error) {
	switch f.Kind {
	case dynamic.Nested:
		if object, ok := v.(map[string]any); ok {
			return message(f.Type, object, path+".")
		}
		if v == "now" && f.Type.Name == "builtin_interfaces/msg/Time" {
			m := dynamic.New(f.Type)
			sec, nanosec := ros2.Stamp(time.Now())
			return m, dynamic.SetTime(m, sec, nanosec)
		}
	case dynamic.Bool:
		if b, ok := v.(bool); ok {
			return b, nil
		}
	case dynamic.String:
		if s, ok := v.(string); ok {
			return s, nil
		}
	case dynamic.Float32, dynamic.Float64:
		if x, ok := special(v); ok {
			return x, nil
		}
		if n, ok := v.(json.Number); ok {
			x, err := n.Float64()
			if f.Kind == dynamic.Float32 {
				x = float64(float32(x)) // the shortest text of the largest float32 exceeds it
			}
			if err == nil && !math.IsInf(x, 0) {
				return x, nil
			}
		}
	default:
		if n, ok := v.(json.Number); ok {
			return integer(f.Kind, n, path)
		}
	}
	return nil, fmt.Errorf("%w: %s wants a %v", ErrJSON, path, f.Kind)
}

// special returns the number of a value that is no number of JSON.
func special(v any) (x float64, ok bool) {
	switch v {
	case nil, "NaN":
		return math.NaN(), true
	case "Infinity":
		return math.Inf(1), true
	case "-Infinity":
		return math.Inf(-1), true
	}
	return 0, false
}

// integer returns an integer in the range of its kind; 1.0 and 1e2 are integers.
func integer(k dynamic.Kind, n json.Number, path string) (any, error) {
	bits := map[dynamic.Kind]int{
		dynamic.Int8: 8, dynamic.Uint8: 8, dynamic.Byte: 8, dynamic.Int16: 16, dynamic.Uint16: 16,
		dynamic.Int32: 32, dynamic.Uint32: 32, dynamic.Int64: 64, dynamic.Uint64: 64,
	}[k]
	text := n.String()
	if x, err := n.Float64(); err == nil && x == math.Trunc(x) && math.Abs(x) < 1<<53 {
		text = strconv.FormatInt(int64(x), 10)
	}
	switch k {
	case dynamic.Int8, dynamic.Int16, dynamic.Int32, dynamic.Int64:
		if v, err := strconv.ParseInt(text, 10, bits); err == nil {
			return v, nil
		}
	default:
		if v, err := strconv.ParseUint(text, 10, bits); err == nil {
			return v, nil
		}
	}
	return nil, fmt.Errorf("%w: %s: %s is no %v", ErrJSON, path, n, k)
}
