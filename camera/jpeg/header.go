// SPDX-License-Identifier: Apache-2.0

package jpeg

// Markers (T.81 table B.1).
const (
	markerSOF0 = 0xC0
	markerDHT  = 0xC4
	markerRST0 = 0xD0
	markerSOI  = 0xD8
	markerEOI  = 0xD9
	markerSOS  = 0xDA
	markerDQT  = 0xDB
	markerAPP0 = 0xE0
)

// appendHeader appends everything before the entropy-coded data.
func appendHeader(b []byte, of shape, quant *[2][64]byte) []byte {
	components := 3
	if of.sampling == Grey {
		components = 1
	}
	b = append(b, 0xFF, markerSOI)
	// JFIF 1.02, pixels are square, no thumbnail.
	b = append(b, 0xFF, markerAPP0, 0, 16, 'J', 'F', 'I', 'F', 0, 1, 2, 0, 0, 1, 0, 1, 0, 0)
	for i := range min(components, 2) {
		b = append(b, 0xFF, markerDQT, 0, 67, byte(i))
		for _, at := range zigzag {
			b = append(b, quant[i][at])
		}
	}
	b = append(b, 0xFF, markerSOF0, 0, byte(8+3*components), 8,
		byte(of.height>>8), byte(of.height), byte(of.width>>8), byte(of.width), byte(components))
	if components == 1 {
		b = append(b, 1, 0x11, 0)
	} else {
		b = append(b, 1, 0x21, 0, 2, 0x11, 1, 3, 0x11, 1)
	}
	b = appendTables(b, standardTables[:2*min(components, 2)])
	b = append(b, 0xFF, markerSOS, 0, byte(6+2*components), byte(components), 1, 0x00)
	if components == 3 {
		b = append(b, 2, 0x11, 3, 0x11)
	}
	return append(b, 0, 63, 0)
}

// appendTables appends one DHT segment.
func appendTables(b []byte, tables []table) []byte {
	length := 2
	for i := range tables {
		length += 17 + len(tables[i].values)
	}
	b = append(b, 0xFF, markerDHT, byte(length>>8), byte(length))
	for i := range tables {
		b = append(b, tables[i].class)
		b = append(b, tables[i].counts[:]...)
		b = append(b, tables[i].values...)
	}
	return b
}
