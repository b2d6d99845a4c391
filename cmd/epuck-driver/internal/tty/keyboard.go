// SPDX-License-Identifier: Apache-2.0

package tty

// Key is a key of the keyboard: a character, or one of the keys that send several bytes.
type Key int

// Keys other than letters.
const (
	KeySpace Key = ' '
	KeyUp    Key = 1000 + iota
	KeyDown
	KeyRight
	keyLeft
)

// arrows are the last bytes of the arrow keys' sequences, ESC [ A and so on.
var arrows = map[byte]Key{'A': KeyUp, 'B': KeyDown, 'C': KeyRight, 'D': keyLeft}

// keys decodes the input of a terminal.
func keys(b []byte) (out []Key) {
	for len(b) > 0 {
		if len(b) >= 3 && b[0] == 0x1B && (b[1] == '[' || b[1] == 'O') {
			if k, ok := arrows[b[2]]; ok {
				out = append(out, k)
			}
			b = b[3:]
			continue
		}
		out = append(out, Key(b[0]))
		b = b[1:]
	}
	return out
}
