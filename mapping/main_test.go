// SPDX-License-Identifier: Apache-2.0

package mapping

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// picture makes a map of rows of text, the highest y first: # is occupied, . is free, everything else unknown.
func picture(t testing.TB, f Frame, rows ...string) *Map {
	t.Helper()
	f.Width, f.Height = len(rows[0]), len(rows)
	m, err := NewMap(f)
	must(t, err)
	for i, row := range rows {
		for column, c := range row {
			switch c {
			case '#':
				m.set(column, len(rows)-1-i, Occupied)
			case '.':
				m.set(column, len(rows)-1-i, Free)
			}
		}
	}
	return m
}

// rows is the reverse of picture, for a part of a map.
func rows(m *Map, column, row, width, height int) (text []string) {
	for r := row + height - 1; r >= row; r-- {
		line := make([]byte, width)
		for c := range line {
			switch v := m.At(column+c, r); {
			case v == Unknown:
				line[c] = ' '
			case v < 50:
				line[c] = '.'
			default:
				line[c] = '#'
			}
		}
		text = append(text, string(line))
	}
	return text
}
