// SPDX-License-Identifier: Apache-2.0

// Package schema reads the definitions of types that recordings hold, so that messages can be decoded whose types the
// program does not have: .msg, .srv and .action texts with all nested definitions (MCAP's encoding "ros2msg"), and IDL
// ("ros2idl", "omgidl").
//
// Source: MCAP's registry of well-known encodings, the .msg syntax of docs.ros.org (About-Interfaces), and OMG IDL 4.2
// as far as rosidl uses it.
package schema

import (
	"errors"
	"fmt"
	"strings"

	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// Encodings of definitions, as MCAP names them.
const (
	encodingMsg    = "ros2msg"
	encodingIDL    = "ros2idl"
	encodingOMGIDL = "omgidl"
)

// Limits of definitions, which come from files of others. The largest of ROS's common packages have about 60 KiB.
const (
	maxText     = 256 << 10 // bytes of a definition with all nested ones
	maxFields   = 4 << 20   // bytes of its fields when all names are full and all defaults are written out
	maxName     = 1 << 10   // bytes of a type's name
	maxElements = 4 << 20   // of an array
)

// separatorLength is the minimum number of "=" in a line that separates definitions; rosbag2 writes 80.
const separatorLength = 3

// Errors of definitions.
var (
	// ErrEncoding is matched when a definition is in an encoding that this package does not read.
	ErrEncoding = errors.New("schema: encoding of the definition is not known")
	// ErrSyntax is matched when a definition cannot be read. The error names the line.
	ErrSyntax = errors.New("schema: bad definition")
)

// Parse returns the type of a name from its definition. Nested types that the definition does not contain are taken
// from known, which may be nil. An error matches [ErrEncoding], [ErrSyntax], or one of [dynamic.Resolve].
func Parse(rosType, encoding, text string, known dynamic.Lookup) (*dynamic.Type, error) {
	defs, err := read(rosType, encoding, text)
	if err != nil {
		return nil, err
	}
	return dynamic.Resolve(FullName(rosType), defs.lookup(known))
}

// read returns what a definition defines.
func read(rosType, encoding, text string) (definitions, error) {
	switch {
	case len(rosType) > maxName:
		return nil, fmt.Errorf("%w: a name of %d bytes, the limit is %d: %.40q…", ErrSyntax, len(rosType), maxName, rosType)
	case len(text) > maxText:
		return nil, fmt.Errorf("%w: %s has %d bytes, the limit is %d", ErrSyntax, rosType, len(text), maxText)
	}
	defs := definitions{}
	var err error
	switch encoding {
	case encodingMsg:
		err = defs.readMsg(FullName(rosType), text)
	case encodingIDL, encodingOMGIDL:
		err = defs.readIDL(text)
	default:
		return nil, fmt.Errorf("%w: %.40q of %s", ErrEncoding, encoding, rosType)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", rosType, err)
	}
	return defs, nil
}

// definitions are the fields of types, by full names, in the form that [dynamic.Resolve] reads.
type definitions map[string]string

// lookup returns the definitions, then those of known.
func (d definitions) lookup(known dynamic.Lookup) dynamic.Lookup {
	return func(name string) (string, bool) {
		if text, ok := d[name]; ok {
			return text, true
		}
		if known == nil {
			return "", false
		}
		return known(name)
	}
}

// FullName returns the name of a message type with its middle part, as in "std_msgs/msg/Header", for the short form of ROS
// 1 and the form of IDL, which has "::" between the parts. Other names are returned as they are.
func FullName(name string) string { return fullName(name, "msg") }

// fullName is FullName for types of a kind: "msg", "srv" or "action".
func fullName(name, kind string) string {
	return dynamic.FullName(strings.ReplaceAll(name, "::", "/"), kind)
}
