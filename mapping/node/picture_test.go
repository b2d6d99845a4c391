// SPDX-License-Identifier: Apache-2.0

package node

import (
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/epuck-ros2/epuck-driver/mapping"
)

// sheet is the documents' picture: a column for each arena, the methods one below the other.
type sheet struct {
	*image.Paletted
}

// Each cell is two pixels wide; what is shown of a map is the middle of its frame.
const (
	cellPixels           = 2
	shownWide, shownTall = 110, 100 // cells
)

func newSheet(arenas, methods int) *sheet {
	palette := color.Palette{color.Gray{205}, color.Gray{254}, color.Gray{0}}
	return &sheet{Paletted: image.NewPaletted(image.Rect(0, 0, arenas*shownWide*cellPixels, methods*shownTall*cellPixels), palette)}
}

// put draws a map into a column and a row; left is the x of its left edge, m.
func (s *sheet) put(m *mapping.Map, column, row int, left float64) {
	for y := range shownTall * cellPixels {
		for x := range shownWide * cellPixels {
			resolution := m.Resolution / cellPixels
			v := m.At(m.Cell(left+(float64(x)+0.5)*resolution, 0.5-(float64(y)+0.5)*resolution))
			i := uint8(0)
			switch {
			case v >= occupiedFrom:
				i = 2
			case v >= 0 && v < 20:
				i = 1
			}
			s.SetColorIndex(column*shownWide*cellPixels+x, row*shownTall*cellPixels+y, i)
		}
	}
}

// save writes the picture into the folder of EPUCK_MAPS, if there is one.
func (s *sheet) save(t *testing.T) {
	t.Helper()
	dir := os.Getenv("EPUCK_MAPS")
	if dir == "" {
		return
	}
	f, err := os.Create(filepath.Join(dir, "maps.png"))
	must(t, err)
	must(t, png.Encode(f, s))
	must(t, f.Close())
}
