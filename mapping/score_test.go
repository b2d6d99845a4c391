// SPDX-License-Identifier: Apache-2.0

package mapping

import (
	"math"
	"testing"
)

// truthOf takes a picture as what is really so.
func truthOf(m *Map) Truth {
	return func(x, y float64) bool { return m.At(m.Cell(x, y)) == Occupied }
}

func TestCompare(t *testing.T) {
	f := Frame{Resolution: 0.1}
	room := picture(t, f,
		"#######",
		"#######",
		"##...##",
		"##...##",
		"##...##",
		"#######",
		"#######")
	start := Pose{X: 0.35, Y: 0.35}
	for _, c := range []struct {
		name string
		rows []string
		want Score
	}{
		{"all of it", []string{"#######", "#######", "##...##", "##...##", "##...##", "#######", "#######"}, Score{1, 36.0 / 40, 1, 0}},
		{"the faces", []string{"       ", " ##### ", " #...# ", " #...# ", " #...# ", " ##### ", "       "}, Score{16.0 / 40, 1, 1, 0}},
		{"one face", []string{"       ", "  ###  ", "       ", "       ", "       ", "       ", "       "}, Score{3.0 / 40, 1, 5.0 / 12, 0}},
		{"a ghost", []string{"       ", "       ", "       ", "   #   ", "       ", "       ", "       "}, Score{0, 0, 0, 0}},
		{"nothing", []string{"       ", "       ", "       ", "       ", "       ", "       ", "       "}, Score{}},
	} {
		got := Compare(picture(t, f, c.rows...), truthOf(room), start)
		want := c.want
		if sum := want.Precision + want.Recall; sum > 0 {
			want.F1 = 2 * want.Precision * want.Recall / sum
		}
		for _, v := range [][2]float64{
			{got.IoU, want.IoU}, {got.Precision, want.Precision}, {got.Recall, want.Recall}, {got.F1, want.F1},
		} {
			if math.Abs(v[0]-v[1]) > 1e-9 {
				t.Errorf("%s: %+v, want %+v", c.name, got, want)
				break
			}
		}
	}
}
