// SPDX-License-Identifier: Apache-2.0

package card

import "fmt"

// Cause is a kind of mistake. The robot's LEDs have a colour for each; of several causes the first in this order is
// shown, because the others may be its consequences.
type Cause int

// The causes.
const (
	CauseNone  Cause = iota
	causeData        // the data partition can't be used: changes are lost when the robot is switched off
	causeWrite       // a setting could not be written
	causeFile        // epuck.txt is missing or not a text file
	causeKey         // a line is not "key = value", or its key is unknown
	causeWiFi        // wifi, wifi_password or country
	causeLogin       // password or ssh_key
	causeValue       // any other value
)

// causes returns all causes with their names, their colours 0xRRGGBB and the colours' names.
func causes() []struct {
	Cause      Cause
	Name       string
	RRGGBB     uint32
	ColourName string
} {
	return []struct {
		Cause      Cause
		Name       string
		RRGGBB     uint32
		ColourName string
	}{
		{causeData, "data partition", 0xFFFFFF, "white"},
		{causeWrite, "writing", 0xFF0000, "red"},
		{causeFile, "file", 0xFF00FF, "magenta"},
		{causeKey, "key", 0xFFFF00, "yellow"},
		{causeWiFi, "wi-fi", 0x0000FF, "blue"},
		{causeLogin, "login", 0x00FFFF, "cyan"},
		{causeValue, "value", 0xFF6600, "orange"},
	}
}

// String returns the cause's name.
func (c Cause) String() string {
	for _, row := range causes() {
		if row.Cause == c {
			return row.Name
		}
	}
	return "none"
}

// Colour returns the colour 0xRRGGBB of a cause, 0 for CauseNone.
func (c Cause) Colour() uint32 {
	for _, row := range causes() {
		if row.Cause == c {
			return row.RRGGBB
		}
	}
	return 0
}

// Mistake is an error in epuck.txt.
type Mistake struct {
	Line  int    // from 1; 0 for the whole file
	Key   string // as written in the file; empty if the line has none
	Cause Cause
	Text  string // what is wrong, and how to correct it
}

// String returns the mistake as a line of epuck-log.txt.
func (m Mistake) String() string {
	switch {
	case m.Line == 0:
		return "epuck.txt: " + m.Text
	case m.Key == "":
		return fmt.Sprintf("epuck.txt, line %d: %s", m.Line, m.Text)
	}
	return fmt.Sprintf("epuck.txt, line %d, %s: %s", m.Line, m.Key, m.Text)
}

// First returns the cause that is shown for mistakes: the lowest one, CauseNone without mistakes.
func First(mistakes []Mistake) Cause {
	first := CauseNone
	for _, m := range mistakes {
		if first == CauseNone || m.Cause < first {
			first = m.Cause
		}
	}
	return first
}
