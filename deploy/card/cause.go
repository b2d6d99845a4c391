// SPDX-License-Identifier: Apache-2.0

package card

import "fmt"

// Cause is a kind of mistake. The robot's LEDs have a colour for each; of several causes the first in this order is
// shown, for it may be why the others are there.
type Cause int

// The causes.
const (
	CauseNone  Cause = iota
	causeData        // the data partition can't be used: all is lost when the robot is switched off
	causeWrite       // a setting could not be written
	causeFile        // epuck.txt is missing or is no text
	causeKey         // a line is not "key = value", or no key is called so
	causeWiFi        // wifi, wifi_password or country
	causeLogin       // password or ssh_key
	causeValue       // any other value
)

// causes gives every cause with its name, its colour 0xRRGGBB and the colour's name.
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

// String gives the cause's name.
func (c Cause) String() string {
	for _, row := range causes() {
		if row.Cause == c {
			return row.Name
		}
	}
	return "none"
}

// Colour gives the colour 0xRRGGBB of a cause, 0 for none.
func (c Cause) Colour() uint32 {
	for _, row := range causes() {
		if row.Cause == c {
			return row.RRGGBB
		}
	}
	return 0
}

// Mistake is something that epuck.txt says and that can't be done.
type Mistake struct {
	Line  int    // counted from 1; 0 is the file as a whole
	Key   string // as the file calls it; empty where a line has none
	Cause Cause
	Text  string // what is wrong and what would be right
}

// String is the mistake as a line of epuck-log.txt.
func (m Mistake) String() string {
	switch {
	case m.Line == 0:
		return "epuck.txt: " + m.Text
	case m.Key == "":
		return fmt.Sprintf("epuck.txt, line %d: %s", m.Line, m.Text)
	}
	return fmt.Sprintf("epuck.txt, line %d, %s: %s", m.Line, m.Key, m.Text)
}

// First gives the cause to be shown for mistakes: the lowest.
func First(mistakes []Mistake) Cause {
	first := CauseNone
	for _, m := range mistakes {
		if first == CauseNone || m.Cause < first {
			first = m.Cause
		}
	}
	return first
}
