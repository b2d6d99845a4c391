// SPDX-License-Identifier: Apache-2.0

package mapping

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
)

// Grey values of map_saver's pictures, whose top row is the highest y.
const (
	greyFree     = 254
	greyOccupied = 0
	greyUnknown  = 205
	rawUnknown   = 255
)

// encode returns the map's picture in a format.
func (m *Map) encode(d *description, format string) ([]byte, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	if len(m.Cells) != m.Width*m.Height {
		return nil, fmt.Errorf("%w: %d cells for %d × %d", ErrSize, len(m.Cells), m.Width, m.Height)
	}
	switch {
	case format != "pgm" && format != "png":
		return nil, fmt.Errorf("%w: format %q, want pgm or png", errFile, format)
	case d.Mode == Scale && format == "pgm":
		return nil, fmt.Errorf("%w: mode scale marks unknown cells as transparent, which pgm can't; want png", errFile)
	}
	var out bytes.Buffer
	if format == "pgm" {
		fmt.Fprintf(&out, "P5\n# cells of %g m\n%d %d\n255\n", m.Resolution, m.Width, m.Height)
		for i := range m.Cells {
			grey, _ := d.grey(m.At(i%m.Width, m.Height-1-i/m.Width))
			out.WriteByte(grey)
		}
		return out.Bytes(), nil
	}
	picture := image.NewNRGBA(image.Rect(0, 0, m.Width, m.Height))
	for row := range m.Height {
		for column := range m.Width {
			grey, alpha := d.grey(m.At(column, m.Height-1-row))
			picture.SetNRGBA(column, row, color.NRGBA{grey, grey, grey, alpha})
		}
	}
	if err := png.Encode(&out, picture); err != nil {
		return nil, fmt.Errorf("%w: %w", errFile, err)
	}
	return out.Bytes(), nil
}

// grey returns the grey value and opacity of a cell (nav2_map_server, map_io.cpp).
func (d *description) grey(v int8) (grey, alpha uint8) {
	p := float64(v) / 100
	switch {
	case d.Mode == Raw && v < 0:
		return rawUnknown, 255
	case d.Mode == Raw:
		return uint8(v), 255
	case v < 0 && d.Mode == Scale:
		return greyUnknown, 0
	case v < 0:
		return d.unknown(), 255
	case d.Mode == Scale:
		return uint8(math.Round(255 * (1 - p))), 255
	case p <= d.FreeThreshold:
		return greyFree, 255
	case p >= d.OccupiedThreshold:
		return greyOccupied, 255
	default:
		return d.unknown(), 255
	}
}

// unknown returns the grey value of unknown cells: map_saver's, or the mean of the thresholds where that would be
// read as free.
func (d *description) unknown() uint8 {
	if 1-greyUnknown/255.0 > d.FreeThreshold && 1-greyUnknown/255.0 < d.OccupiedThreshold {
		return greyUnknown
	}
	return uint8(math.Round(255 * (1 - (d.FreeThreshold+d.OccupiedThreshold)/2)))
}

// value returns the cell value for a grey value and opacity.
func (d *description) value(grey, alpha uint8) int8 {
	if d.Mode == Raw {
		if grey > uint8(Occupied) {
			return Unknown
		}
		return int8(grey)
	}
	p := 1 - float64(grey)/255
	if d.Negate {
		p = float64(grey) / 255
	}
	switch {
	case d.Mode == Scale && alpha < 255:
		return Unknown
	case p >= d.OccupiedThreshold:
		return Occupied
	case p <= d.FreeThreshold:
		return Free
	case d.Mode == Scale:
		return int8(1 + math.Round(98*(p-d.FreeThreshold)/(d.OccupiedThreshold-d.FreeThreshold)))
	default:
		return Unknown
	}
}

// decode decodes a PGM or PNG picture into a map with its lower left corner at (0, 0).
func decode(d *description, data []byte) (*Map, error) {
	read := decodePNG
	if bytes.HasPrefix(data, []byte("P")) {
		read = decodePGM
	}
	picture, err := read(data)
	if err != nil {
		return nil, err
	}
	m, err := NewMap(Frame{Resolution: d.Resolution, Width: picture.width, Height: picture.height})
	if err != nil {
		return nil, err
	}
	for i := range m.Cells {
		column, row := i%m.Width, m.Height-1-i/m.Width
		m.Cells[i] = d.value(picture.at(column, row))
	}
	return m, nil
}

// pixels is a decoded picture: at returns grey value and opacity.
type pixels struct {
	width, height int
	at            func(x, y int) (grey, alpha uint8)
}

// decodePNG decodes a PNG picture. Colours are converted to grey by their mean, as map_server does.
func decodePNG(data []byte) (pixels, error) {
	head, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return pixels{}, fmt.Errorf("%w: %w", errFile, err)
	}
	if err := checkPicture(head.Width, head.Height); err != nil {
		return pixels{}, err
	}
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return pixels{}, fmt.Errorf("%w: %w", errFile, err)
	}
	return pixels{head.Width, head.Height, func(x, y int) (uint8, uint8) {
		c, _ := color.NRGBAModel.Convert(picture.At(x, y)).(color.NRGBA) // NRGBAModel always converts to this type
		return uint8((int(c.R) + int(c.G) + int(c.B)) / 3), c.A
	}}, nil
}

func checkPicture(width, height int) error {
	return Frame{Resolution: 1, Width: width, Height: height}.Check()
}
