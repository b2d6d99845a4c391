// SPDX-License-Identifier: Apache-2.0

package idl

// Base is the element type of a field, before array or sequence.
type Base string

// The base types of .msg files. Nested is another message.
const (
	Bool    Base = "bool"
	Byte    Base = "byte"
	Char    Base = "char" // an unsigned byte, since ROS 2 Foxy
	Int8    Base = "int8"
	Uint8   Base = "uint8"
	Int16   Base = "int16"
	Uint16  Base = "uint16"
	Int32   Base = "int32"
	Uint32  Base = "uint32"
	Int64   Base = "int64"
	Uint64  Base = "uint64"
	Float32 Base = "float32"
	Float64 Base = "float64"
	String  Base = "string"
	Nested  Base = "nested"
)

// Container is the container of a field's values.
type Container int

// The containers of .msg files.
const (
	Single       Container = iota // one value
	Array                         // T[N]: exactly N
	BoundedSeq                    // T[<=N]: at most N
	UnboundedSeq                  // T[]: any number
)

// Type is the type of a field.
type Type struct {
	Base        Base
	StringBound int    // bytes of string<=N; 0 means unbounded
	Ref         string // of a nested type: "std_msgs/msg/Header"
	Container   Container
	Size        int // N of an array or bounded sequence
}

// Field is one field of a message.
type Field struct {
	Name    string
	Type    Type
	Default []Value // one for a single value, any number for an array; nil if there is none
	Doc     string
	Line    int // in the file, from 1
}

// Constant is one constant of a message.
type Constant struct {
	Name  string
	Base  Base
	Value Value
	Doc   string
	Line  int
}

// Message is a .msg file or a part of a .srv or .action file.
type Message struct {
	Package   string // ROS package
	Kind      string // "msg", "srv" or "action"
	Name      string // "Range", "Trigger_Request"
	Doc       string
	Fields    []Field
	Constants []Constant
}

// FullName returns the ROS name of the type, "sensor_msgs/msg/Range".
func (m *Message) FullName() string { return m.Package + "/" + m.Kind + "/" + m.Name }

// Service is a .srv file, or a service of an action.
type Service struct {
	Package  string // ROS package
	Kind     string // "srv" or "action"
	Name     string // "Trigger", "Fibonacci_SendGoal"
	Doc      string
	Request  Message
	Response Message
}

// FullName returns the ROS name of the service, "std_srvs/srv/Trigger".
func (s *Service) FullName() string { return s.Package + "/" + s.Kind + "/" + s.Name }
