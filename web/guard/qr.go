// SPDX-License-Identifier: Apache-2.0

package guard

import (
	"strings"

	"rsc.io/qr"
)

// quietZone is the white rim that scanners want, in modules.
const quietZone = 2

// QR draws a text as a QR code for a terminal with dark background: two modules a character, light ones drawn.
func QR(text string) (string, error) {
	code, err := qr.Encode(text, qr.L)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for y := -quietZone; y < code.Size+quietZone; y += 2 {
		for x := -quietZone; x < code.Size+quietZone; x++ {
			upper, lower := !code.Black(x, y), !code.Black(x, y+1) && y+1 < code.Size+quietZone
			switch {
			case upper && lower:
				b.WriteRune('█')
			case upper:
				b.WriteRune('▀')
			case lower:
				b.WriteRune('▄')
			default:
				b.WriteByte(' ')
			}
		}
		b.WriteByte('\n')
	}
	return b.String(), nil
}
