// SPDX-License-Identifier: Apache-2.0

package action

import (
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// named is the descriptor of an action, whose zero value has its name.
type named interface{ ROSType() string }

func typeName[A named](suffix string) string {
	var a A
	return a.ROSType() + suffix
}

// kind distinguishes the two messages that consist of a goal ID and a message of the action.
type kind interface {
	names() (message, member string)
}

type goalKind[A named] struct{}

func (goalKind[A]) names() (message, member string) { return typeName[A]("_SendGoal_Request"), "goal" }

type feedbackKind[A named] struct{}

func (feedbackKind[A]) names() (message, member string) {
	return typeName[A]("_FeedbackMessage"), "feedback"
}

// tagged is a goal or feedback with its goal ID, as sent.
type tagged[K kind, T any, P ros2.MessageOf[T]] struct {
	GoalID ID
	Body   T
}

// ROSType returns "…_SendGoal_Request" or "…_FeedbackMessage".
func (*tagged[K, T, P]) ROSType() string {
	var k K
	name, _ := k.names()
	return name
}

// TypeHash returns the RIHS01 hash.
func (m *tagged[K, T, P]) TypeHash() string { return hashOf(m) }

// TypeDefinition returns the fields.
func (*tagged[K, T, P]) TypeDefinition() (text string, nested []cdr.Message) {
	var k K
	_, member := k.names()
	return idField + P(nil).ROSType() + " " + member + "\n", []cdr.Message{(*ID)(nil), P(nil)}
}

// EncodeCDR appends the fields to e.
func (m *tagged[K, T, P]) EncodeCDR(e *cdr.Encoder) {
	m.GoalID.EncodeCDR(e)
	P(&m.Body).EncodeCDR(e)
}

// DecodeCDR overwrites every field from d.
func (m *tagged[K, T, P]) DecodeCDR(d *cdr.Decoder) {
	m.GoalID.DecodeCDR(d)
	P(&m.Body).DecodeCDR(d)
}

const idField = "unique_identifier_msgs/msg/UUID goal_id\n"

// hashOf returns the hash of a message whose parts all have definitions, else "".
func hashOf(m ros2.DefinedMessage) string {
	hash, err := ros2.TypeHashOf(m)
	if err != nil {
		return "" // a part has no definition
	}
	return hash
}

// goalResponse is "…_SendGoal_Response".
type goalResponse[A named] struct {
	Accepted bool
	Stamp    builtin_interfaces.Time
}

// ROSType returns the name of the type.
func (*goalResponse[A]) ROSType() string { return typeName[A]("_SendGoal_Response") }

// TypeHash returns the RIHS01 hash.
func (m *goalResponse[A]) TypeHash() string { return hashOf(m) }

// TypeDefinition returns the fields.
func (*goalResponse[A]) TypeDefinition() (text string, nested []cdr.Message) {
	return "bool accepted\nbuiltin_interfaces/msg/Time stamp\n", []cdr.Message{(*builtin_interfaces.Time)(nil)}
}

// EncodeCDR appends the fields to e.
func (m *goalResponse[A]) EncodeCDR(e *cdr.Encoder) {
	e.Bool(m.Accepted)
	m.Stamp.EncodeCDR(e)
}

// DecodeCDR overwrites every field from d.
func (m *goalResponse[A]) DecodeCDR(d *cdr.Decoder) {
	d.Field(m.ROSType() + ".accepted")
	m.Accepted = d.Bool()
	m.Stamp.DecodeCDR(d)
}
