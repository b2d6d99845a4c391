// SPDX-License-Identifier: Apache-2.0

package action

import (
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// resultRequest is "…_GetResult_Request".
type resultRequest[A named] struct{ GoalID ID }

// ROSType returns the name of the type.
func (*resultRequest[A]) ROSType() string { return typeName[A]("_GetResult_Request") }

// TypeHash returns the RIHS01 hash.
func (m *resultRequest[A]) TypeHash() string { return hashOf(m) }

// TypeDefinition returns the fields.
func (*resultRequest[A]) TypeDefinition() (text string, nested []cdr.Message) {
	return idField, []cdr.Message{(*ID)(nil)}
}

// EncodeCDR appends the fields to e.
func (m *resultRequest[A]) EncodeCDR(e *cdr.Encoder) { m.GoalID.EncodeCDR(e) }

// DecodeCDR overwrites every field from d.
func (m *resultRequest[A]) DecodeCDR(d *cdr.Decoder) { m.GoalID.DecodeCDR(d) }

// resultResponse is "…_GetResult_Response".
type resultResponse[A named, R any, P ros2.MessageOf[R]] struct {
	Status Status
	Result R
}

// ROSType returns the name of the type.
func (*resultResponse[A, R, P]) ROSType() string { return typeName[A]("_GetResult_Response") }

// TypeHash returns the RIHS01 hash.
func (m *resultResponse[A, R, P]) TypeHash() string { return hashOf(m) }

// TypeDefinition returns the fields.
func (*resultResponse[A, R, P]) TypeDefinition() (text string, nested []cdr.Message) {
	return "int8 status\n" + P(nil).ROSType() + " result\n", []cdr.Message{P(nil)}
}

// EncodeCDR appends the fields to e.
func (m *resultResponse[A, R, P]) EncodeCDR(e *cdr.Encoder) {
	e.Int8(int8(m.Status))
	P(&m.Result).EncodeCDR(e)
}

// DecodeCDR overwrites every field from d.
func (m *resultResponse[A, R, P]) DecodeCDR(d *cdr.Decoder) {
	d.Field(m.ROSType() + ".status")
	m.Status = Status(d.Int8())
	P(&m.Result).DecodeCDR(d)
}

// goalService and resultService are the types of an action's two services that depend on its messages.
type (
	goalService[A named, G any, P ros2.MessageOf[G]]   struct{}
	resultService[A named, R any, P ros2.MessageOf[R]] struct{}
)

// ROSType returns "…_SendGoal".
func (goalService[A, G, P]) ROSType() string { return typeName[A]("_SendGoal") }

// New returns an empty request and an empty response.
func (goalService[A, G, P]) New() (*tagged[goalKind[A], G, P], *goalResponse[A]) {
	return new(tagged[goalKind[A], G, P]), new(goalResponse[A])
}

// ROSType returns "…_GetResult".
func (resultService[A, R, P]) ROSType() string { return typeName[A]("_GetResult") }

// New returns an empty request and an empty response.
func (resultService[A, R, P]) New() (*resultRequest[A], *resultResponse[A, R, P]) {
	return new(resultRequest[A]), new(resultResponse[A, R, P])
}
