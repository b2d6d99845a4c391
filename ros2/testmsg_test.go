// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"strings"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
)

// chatter is a message written by hand, so that these tests need no generated
// package.
type chatter struct {
	Count int64
	Text  string
	Blob  []byte // only in long messages
}

func (m *chatter) EncodeCDR(e *cdr.Encoder) {
	e.CheckBound("text", len(m.Text), 1000)
	e.Int64(m.Count)
	e.String(m.Text)
	if len(m.Blob) > 0 {
		e.Uint8s(m.Blob)
	}
}

func (m *chatter) DecodeCDR(d *cdr.Decoder) {
	m.Count = d.Int64()
	m.Text = d.String()
	if d.Remaining() > 0 {
		m.Blob = make([]byte, d.Remaining())
		d.Uint8s(m.Blob)
	}
}

func (*chatter) ROSType() string  { return "test_msgs/msg/Chatter" }
func (*chatter) TypeHash() string { return "RIHS01_" + strings.Repeat("c0", 32) }

// other has another type and a shorter form than chatter.
type other struct{ Flag bool }

func (m *other) EncodeCDR(e *cdr.Encoder) { e.Bool(m.Flag) }
func (m *other) DecodeCDR(d *cdr.Decoder) { m.Flag = d.Bool() }
func (*other) ROSType() string            { return "test_msgs/msg/Other" }
func (*other) TypeHash() string           { return "RIHS01_" + strings.Repeat("00", 32) }

// impostor claims to be a chatter but is not.
type impostor struct{ other }

func (*impostor) ROSType() string { return "test_msgs/msg/Chatter" }
