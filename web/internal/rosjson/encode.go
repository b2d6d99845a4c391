// SPDX-License-Identifier: Apache-2.0

package rosjson

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"strconv"

	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// Append appends a message as a JSON object and returns the extended buffer.
func Append(dst []byte, m *dynamic.Message) []byte {
	dst = append(dst, '{')
	fields := m.Type().Fields
	for i := range fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendQuote(dst, fields[i].Name)
		dst = append(dst, ':')
		v, _ := m.Get(fields[i].Name)
		dst = appendValue(dst, v, fields[i].Kind == dynamic.Float32)
	}
	return append(dst, '}')
}

func appendValue(dst []byte, v any, single bool) []byte {
	switch v := v.(type) {
	case *dynamic.Message:
		return Append(dst, v)
	case bool:
		return strconv.AppendBool(dst, v)
	case int64:
		return strconv.AppendInt(dst, v, 10)
	case uint64:
		return strconv.AppendUint(dst, v, 10)
	case float64:
		return appendFloat(dst, v, single)
	case string:
		return appendString(dst, v)
	case []byte:
		dst = append(dst, '"')
		dst = base64.StdEncoding.AppendEncode(dst, v)
		return append(dst, '"')
	case []any:
		dst = append(dst, '[')
		for i, x := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendValue(dst, x, single)
		}
		return append(dst, ']')
	}
	return append(dst, "null"...)
}

// appendFloat writes the shortest text that reads back; infinities and not-a-number are null.
func appendFloat(dst []byte, v float64, single bool) []byte {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return append(dst, "null"...)
	}
	bits := 64
	if single {
		bits = 32
	}
	return strconv.AppendFloat(dst, v, 'g', -1, bits)
}

// appendString writes a text as JSON; what is no UTF-8 becomes U+FFFD.
func appendString(dst []byte, s string) []byte {
	quoted, err := json.Marshal(s)
	if err != nil { // of a string there is none
		return append(dst, `""`...)
	}
	return append(dst, quoted...)
}
