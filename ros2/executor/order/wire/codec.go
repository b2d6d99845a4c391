// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// errMessage means that a message cannot be decoded.
var errMessage = errors.New("order: message of the protocol")

// MaxLength is the longest accepted message, bytes.
const MaxLength = 4 << 20

// Encode encodes a message.
func Encode(m *Message) string {
	m.Version = version
	text, _ := json.Marshal(m) // no field can fail
	return string(text)
}

// Decode decodes a message. It fails if the text is longer than [MaxLength], not the JSON of a message, of another
// protocol version, or lacks a field that its kind requires; the error names the length, the version or the kind.
func Decode(text string) (*Message, error) {
	if len(text) > MaxLength {
		return nil, fmt.Errorf("%w: %d bytes", errMessage, len(text))
	}
	m := new(Message)
	if err := json.Unmarshal([]byte(text), m); err != nil {
		return nil, fmt.Errorf("%w: %w", errMessage, err)
	}
	if m.Version != version {
		return nil, fmt.Errorf("%w: version %d, not %d", errMessage, m.Version, version)
	}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", errMessage, m.Kind, err)
	}
	return m, nil
}

var errFields = errors.New("fields do not match the kind")

// check reports an error unless the fields are those of the kind and within their limits.
func (m *Message) check() error {
	named := m.Member != "" && m.Session != ""
	led := named && m.Leader != ""
	ok := false
	switch m.Kind {
	case Hello:
		ok = named
	case Alive, Leave, Refuse:
		ok = led
	case Done:
		ok = led && m.Number > 0
	case Welcome:
		ok = led && m.At != nil && m.Start != nil
	case Grant:
		ok = led && m.At != nil && m.Number > 0
	case End:
		ok = m.Leader != ""
	}
	for _, t := range []*Tag{m.At, m.Next, m.Came} {
		ok = ok && (t == nil || t.valid())
	}
	ok = ok && !slices.ContainsFunc(m.Runs, func(r Run) bool { return !r.At.valid() || r.Node == "" || r.Node[0] != '/' })
	ok = ok && !slices.ContainsFunc(m.Held, func(a Arrival) bool { return a.Count < 1 })
	if !ok || m.Number < 0 {
		return errFields
	}
	return nil
}

func (t *Tag) valid() bool { return t[0] >= 0 && t[1] >= 0 && t[1] < 1<<31 }
