// SPDX-License-Identifier: Apache-2.0

package health

import (
	"strconv"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/diagnostic_msgs"
)

// textArena collects the statuses of a diagnostic message. All values of a message are written into one buffer and
// become one string, so that a message costs one allocation and not one for each of its hundred values.
type textArena struct {
	text    []byte
	entries []entry
	values  []span
	pairs   []diagnostic_msgs.KeyValue // of all statuses in sequence
	prefix  string                     // prefix of every name
	names   map[string]string          // names with the prefix
}

// entry is one status; its values begin at first.
type entry struct {
	name, message, hardware string
	first                   int
}

// span is a value: its end in the text. It begins where the previous one ends.
type span struct {
	key string
	end int
}

func (t *textArena) reset() { t.text, t.entries, t.values = t.text[:0], t.entries[:0], t.values[:0] }

// status begins a status; values added after it belong to it.
func (t *textArena) status(name, message, hardware string) {
	t.entries = append(t.entries, entry{name, message, hardware, len(t.values)})
}

func (t *textArena) end(key string) { t.values = append(t.values, span{key, len(t.text)}) }

func (t *textArena) word(key, v string) {
	t.text = append(t.text, v...)
	t.end(key)
}

func (t *textArena) count(key string, v uint64) {
	t.text = strconv.AppendUint(t.text, v, 10)
	t.end(key)
}

// number adds a value with three decimals; its unit is part of the key.
func (t *textArena) number(key string, v float64) {
	t.text = strconv.AppendFloat(t.text, v, 'f', 3, 64)
	t.end(key)
}

func (t *textArena) millis(key string, v time.Duration) { t.number(key, v.Seconds()*1000) }

func (t *textArena) failure(key string, err error) {
	text := "none"
	if err != nil {
		text = err.Error()
	}
	t.word(key, text)
}

// statuses returns the statuses with the conditions that are raised on them. They are valid until the next call.
func (t *textArena) statuses(to []diagnostic_msgs.DiagnosticStatus, held []*Condition) []diagnostic_msgs.DiagnosticStatus {
	text, begin := string(t.text), 0
	t.pairs = t.pairs[:0]
	for _, v := range t.values {
		t.pairs = append(t.pairs, diagnostic_msgs.KeyValue{Key: v.key, Value: text[begin:v.end]})
		begin = v.end
	}
	for i, e := range t.entries {
		last := len(t.pairs)
		if i+1 < len(t.entries) {
			last = t.entries[i+1].first
		}
		s := diagnostic_msgs.DiagnosticStatus{
			Name: e.name, Message: e.message, HardwareID: e.hardware, Values: t.pairs[e.first:last:last],
		}
		for _, c := range held {
			if c.Status == e.name {
				raise(&s, c)
			}
		}
		s.Name = t.fullName(e.name)
		to = append(to, s)
	}
	return to
}

// raise adds a condition to the status it belongs to.
func raise(s *diagnostic_msgs.DiagnosticStatus, c *Condition) {
	if s.Level == diagnostic_msgs.DiagnosticStatusOK {
		s.Message = c.Text
	} else {
		s.Message += "; " + c.Text
	}
	s.Level = max(s.Level, uint8(c.Severity))
	s.Values = append(s.Values, diagnostic_msgs.KeyValue{Key: "condition", Value: c.Code})
}

// fullName returns the node's name followed by a status's; it is built once.
func (t *textArena) fullName(name string) string {
	full, ok := t.names[name]
	if !ok {
		if t.names == nil {
			t.names = map[string]string{}
		}
		full = t.prefix + name
		t.names[name] = full
	}
	return full
}
