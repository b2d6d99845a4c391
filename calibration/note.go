// SPDX-License-Identifier: Apache-2.0

package calibration

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// errNote is matched by errors about text that is not a note.
var errNote = errors.New("calibration: not a note")

// Value is a calibrated value with half the width of its 95 % confidence interval; 0 if that is unknown.
type Value struct {
	Name            string // one word
	Value, Interval float64
	Unit            string // one word, or empty
}

// Note records when and for which robot a calibration was made, and its results. Its text is one line.
type Note struct {
	Time   time.Time
	Robot  string // one word
	Values []Value
}

// String returns the note's text: "2026-11-22T08:00:00Z epuck left_radius=0.0201±0.00002m …".
func (n Note) String() string {
	var b strings.Builder
	b.WriteString(n.Time.UTC().Format(time.RFC3339))
	b.WriteByte(' ')
	b.WriteString(word(n.Robot))
	for _, v := range n.Values {
		fmt.Fprintf(&b, " %s=%s", word(v.Name), digits(v.Value, 6))
		if v.Interval > 0 {
			b.WriteString("±" + digits(v.Interval, 2))
		}
		b.WriteString(strings.ReplaceAll(v.Unit, " ", "_"))
	}
	return b.String()
}

func digits(v float64, n int) string { return strconv.FormatFloat(v, 'g', n, 64) }

// word replaces the characters of a name that separate fields of a note.
func word(s string) string {
	s = strings.Map(func(r rune) rune {
		if r <= ' ' || r == '=' || r == '±' {
			return '_'
		}
		return r
	}, s)
	if s == "" {
		return "-"
	}
	return s
}

// ParseNote parses a note. The error quotes the text that is not a time, a robot, or a value such as name=1.5±0.1mm.
func ParseNote(text string) (Note, error) {
	fields := strings.Fields(text)
	if len(fields) < 2 {
		return Note{}, fmt.Errorf("%w: %q", errNote, text)
	}
	at, err := time.Parse(time.RFC3339, fields[0])
	if err != nil {
		return Note{}, fmt.Errorf("%w: %w", errNote, err)
	}
	n := Note{Time: at, Robot: fields[1]}
	for _, f := range fields[2:] {
		name, rest, ok := strings.Cut(f, "=")
		v := Value{Name: name}
		number, width, has := strings.Cut(rest, "±")
		if has {
			v.Interval, v.Unit, err = leading(width)
			ok = ok && err == nil
			v.Value, err = strconv.ParseFloat(number, 64)
		} else {
			v.Value, v.Unit, err = leading(number)
		}
		if !ok || err != nil || name == "" || math.IsNaN(v.Value) || math.IsInf(v.Value, 0) {
			return Note{}, fmt.Errorf("%w: %q", errNote, f)
		}
		n.Values = append(n.Values, v)
	}
	return n, nil
}

// leading splits a number from the unit that follows it.
func leading(s string) (v float64, unit string, err error) {
	for i := len(s); i > 0; i-- {
		if v, err = strconv.ParseFloat(s[:i], 64); err == nil {
			return v, s[i:], nil
		}
	}
	return 0, "", strconv.ErrSyntax
}

// Old is the age after which a calibration should be repeated: tyres wear, and batteries change the magnetic field.
const Old = 180 * 24 * time.Hour

// Age returns the note's age as text, such as "3 days old".
func (n Note) Age(now time.Time) string {
	switch d := now.Sub(n.Time); {
	case d < 0:
		return "from the future: is the clock right?"
	case d < 48*time.Hour:
		return fmt.Sprintf("%.0f hours old", d.Hours())
	default:
		return fmt.Sprintf("%.0f days old", d.Hours()/24)
	}
}
