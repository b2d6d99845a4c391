// SPDX-License-Identifier: Apache-2.0

package jpeg

import (
	"bytes"
	"fmt"
)

// AppendComplete appends a camera's JPEG file to dst. It inserts the standard Huffman tables if the file has none, as
// most frames of MJPEG cameras (UVC's MJPEG payload omits them, and many decoders then reject the file), and drops
// bytes after the end marker. If file is not a complete JPEG file, the error has the position and dst is returned
// unchanged.
func AppendComplete(dst, file []byte) ([]byte, error) {
	if len(file) < 4 || file[0] != 0xFF || file[1] != markerSOI {
		return dst, fmt.Errorf("%w: no SOI at the beginning", errFormat)
	}
	end := bytes.LastIndex(file, []byte{0xFF, markerEOI})
	if end < 0 {
		return dst, fmt.Errorf("%w: no EOI in %d bytes", errFormat, len(file))
	}
	file = file[:end+2]
	at, tables, err := findScan(file)
	if err != nil {
		return dst, err
	}
	if tables {
		return append(dst, file...), nil
	}
	dst = append(dst, file[:at]...)
	dst = appendTables(dst, standardTables[:])
	return append(dst, file[at:]...), nil
}

// findScan returns the position of the first SOS marker, and whether there are Huffman tables before it.
func findScan(file []byte) (at int, tables bool, err error) {
	for at = 2; at+4 <= len(file); {
		if file[at] != 0xFF {
			return 0, false, fmt.Errorf("%w: no marker at byte %d", errFormat, at)
		}
		switch marker := file[at+1]; {
		case marker == 0xFF: // fill byte
			at++
			continue
		case marker == markerSOS:
			return at, tables, nil
		case marker == markerDHT:
			tables = true
		case marker == 0 || marker == 1 || marker >= markerRST0 && marker <= markerEOI:
			return 0, false, fmt.Errorf("%w: marker %#02x at byte %d, before the first scan", errFormat, marker, at)
		}
		length := int(file[at+2])<<8 | int(file[at+3])
		if length < 2 {
			return 0, false, fmt.Errorf("%w: segment of %d bytes at byte %d", errFormat, length, at)
		}
		at += 2 + length
	}
	return 0, false, fmt.Errorf("%w: no scan in %d bytes", errFormat, len(file))
}
