// SPDX-License-Identifier: Apache-2.0

package rihs

import (
	"github.com/epuck-ros2/epuck-driver/msgs/internal/idl"
)

// Type numbers of REP 2011, as in FieldType.msg. Containers add an offset to the number of their element.
const (
	nestedID        = 1
	boundedStringID = 21

	arrayOffset        = 48
	boundedSeqOffset   = 96
	unboundedSeqOffset = 144
)

// baseID returns the number of a base type. A char of a .msg file is a uint8.
func baseID(b idl.Base) int {
	switch b {
	case idl.Int8:
		return 2
	case idl.Uint8, idl.Char:
		return 3
	case idl.Int16:
		return 4
	case idl.Uint16:
		return 5
	case idl.Int32:
		return 6
	case idl.Uint32:
		return 7
	case idl.Int64:
		return 8
	case idl.Uint64:
		return 9
	case idl.Float32:
		return 10
	case idl.Float64:
		return 11
	case idl.Bool:
		return 15
	case idl.Byte:
		return 16
	case idl.String:
		return 17
	}
	return nestedID
}

// field is the part of a field that is hashed: without default and comment.
type field struct {
	name           string
	id             int
	capacity       int
	stringCapacity int
	nested         string // full name, or empty
}

// description is the description of a type without the types to which it refers.
type description struct {
	name   string
	fields []field
}

// describe returns the description of a message.
func describe(m *idl.Message) description {
	d := description{name: m.FullName()}
	for i := range m.Fields {
		d.fields = append(d.fields, describeField(&m.Fields[i]))
	}
	if len(d.fields) == 0 {
		// IDL has no empty structures; the dummy member is part of the hash.
		d.fields = []field{{name: "structure_needs_at_least_one_member", id: baseID(idl.Uint8)}}
	}
	return d
}

func describeField(f *idl.Field) field {
	t := &f.Type
	out := field{name: f.Name, id: baseID(t.Base), capacity: t.Size, stringCapacity: t.StringBound, nested: t.Ref}
	if t.StringBound > 0 {
		out.id = boundedStringID
	}
	switch t.Container {
	case idl.Array:
		out.id += arrayOffset
	case idl.BoundedSeq:
		out.id += boundedSeqOffset
	case idl.UnboundedSeq:
		out.id += unboundedSeqOffset
	}
	return out
}

// describeEvent returns the type that service introspection publishes.
func describeEvent(s *idl.Service) description {
	seq := nestedID + boundedSeqOffset
	return description{name: s.FullName() + "_Event", fields: []field{
		{name: "info", id: nestedID, nested: "service_msgs/msg/ServiceEventInfo"},
		{name: "request", id: seq, capacity: 1, nested: s.Request.FullName()},
		{name: "response", id: seq, capacity: 1, nested: s.Response.FullName()},
	}}
}

// describeAction returns the type of the action as a whole.
func describeAction(a *idl.Action) description {
	part := func(name, nested string) field { return field{name: name, id: nestedID, nested: nested} }
	return description{name: a.FullName(), fields: []field{
		part("goal", a.Goal.FullName()), part("result", a.Result.FullName()), part("feedback", a.Feedback.FullName()),
		part("send_goal_service", a.SendGoal().FullName()), part("get_result_service", a.GetResult().FullName()),
		part("feedback_message", a.FeedbackMessage().FullName()),
	}}
}

// describeService returns the type of the service as a whole.
func describeService(s *idl.Service) description {
	return description{name: s.FullName(), fields: []field{
		{name: "request_message", id: nestedID, nested: s.Request.FullName()},
		{name: "response_message", id: nestedID, nested: s.Response.FullName()},
		{name: "event_message", id: nestedID, nested: s.FullName() + "_Event"},
	}}
}
