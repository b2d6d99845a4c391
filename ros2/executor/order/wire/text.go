// SPDX-License-Identifier: Apache-2.0

package wire

import "github.com/epuck-ros2/epuck-driver/msgs/cdr"

// Text is std_msgs/msg/String, which carries the protocol's messages.
type Text struct{ Data string }

// ROSType implements ros2.Message.
func (*Text) ROSType() string { return "std_msgs/msg/String" }

// TypeHash implements ros2.Message.
func (*Text) TypeHash() string {
	return "RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18"
}

// TypeDefinition implements ros2.Message.
func (*Text) TypeDefinition() (text string, nested []cdr.Message) { return "string data\n", nil }

// EncodeCDR appends the text.
func (m *Text) EncodeCDR(e *cdr.Encoder) { e.String(m.Data) }

// DecodeCDR overwrites the text.
func (m *Text) DecodeCDR(d *cdr.Decoder) {
	d.Field("std_msgs/msg/String.data")
	m.Data = d.StringOf(m.Data, cdr.Unbounded)
}
