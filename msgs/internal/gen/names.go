// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"strings"
	"unicode"

	"github.com/epuck-ros2/epuck-driver/msgs/internal/idl"
)

// initialism returns the Go form of an initialism.
func initialism(word string) (string, bool) {
	switch word {
	case "ros", "id", "uuid", "ok", "ns", "url", "uv", "roi", "led", "gps", "sbas", "gbas", "yaml":
		return strings.ToUpper(word), true
	case "ids":
		return "IDs", true
	case "nimh":
		return "NiMH", true
	case "lion":
		return "LiIon", true
	case "lipo":
		return "LiPo", true
	case "nicd":
		return "NiCd", true
	case "limn":
		return "LiMn", true
	case "deleteall":
		return "DeleteAll", true
	}
	return "", false
}

// goName converts snake_case or SCREAMING_CASE to a Go name: child_frame_id becomes ChildFrameID, RESULT_OK ResultOK.
func goName(ros string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(strings.ToLower(ros), "_") {
		if s, ok := initialism(word); ok {
			b.WriteString(s)
			continue
		}
		for i, r := range word {
			if i == 0 {
				r = unicode.ToUpper(r)
			}
			b.WriteRune(r)
		}
	}
	return b.String()
}

// goConstName returns the Go name of a constant: prefixed with its type, whose words are not repeated. PARAMETER_BOOL
// of ParameterType is ParameterTypeBool.
func goConstName(typ, ros string) string {
	words := strings.Split(ros, "_")
	for _, t := range strings.Split(fileName(typ), "_") {
		if len(words) == 1 || !strings.EqualFold(words[0], t) {
			break
		}
		words = words[1:]
	}
	return goTypeName(typ) + goName(strings.Join(words, "_"))
}

// goFieldName returns the Go name of a field, with an underscore appended if a method has the name.
func goFieldName(ros string) string {
	switch name := goName(ros); name {
	case "ROSType", "TypeHash", "TypeDefinition", "EncodeCDR", "DecodeCDR":
		return name + "_"
	default:
		return name
	}
}

// goTypeName returns the Go name of a message: Trigger_Request is TriggerRequest.
func goTypeName(ros string) string { return strings.ReplaceAll(ros, "_", "") }

// fileName returns the file name of a type, in the style of Go: CameraInfo becomes camera_info, UInt8MultiArray
// uint8_multi_array, IMUData imu_data.
func fileName(ros string) string {
	var b strings.Builder
	rs := []rune(strings.Replace(ros, "UInt", "Uint", 1))
	for i, r := range rs {
		upper := unicode.IsUpper(r)
		afterLower := i > 0 && !unicode.IsUpper(rs[i-1])
		beforeLower := i+1 < len(rs) && unicode.IsLower(rs[i+1])
		if upper && i > 0 && (afterLower || beforeLower) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// goBase returns the Go type of a base type other than Nested.
func goBase(b idl.Base) string {
	switch b {
	case idl.Byte, idl.Char:
		return "uint8"
	}
	return string(b)
}

// codecName returns the name of a base type in the method names of package cdr.
func codecName(b idl.Base) string {
	name := goBase(b)
	return strings.ToUpper(name[:1]) + name[1:]
}
