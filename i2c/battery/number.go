// SPDX-License-Identifier: Apache-2.0

package battery

import "fmt"

// maxDigits keeps every number within the precision of a float64 whatever its sign and decimal point.
const maxDigits = 15

// parse parses the one decimal number of a sysfs file: an optional sign, digits, an optional fraction, a newline. The
// kernel writes nothing else there. It allocates nothing unless it fails; the error matches errFormat.
func parse(p []byte) (float64, error) {
	text := p
	for len(text) > 0 && (text[len(text)-1] == '\n' || text[len(text)-1] == ' ' || text[len(text)-1] == 0) {
		text = text[:len(text)-1]
	}
	sign := 1.0
	digits := text
	if len(digits) > 0 && (digits[0] == '-' || digits[0] == '+') {
		if digits[0] == '-' {
			sign = -1
		}
		digits = digits[1:]
	}
	var mantissa uint64
	divisor, count, point := 1.0, 0, false
	for _, c := range digits {
		switch {
		case c == '.' && !point:
			point = true
		case c >= '0' && c <= '9' && count < maxDigits:
			mantissa = mantissa*10 + uint64(c-'0')
			count++
			if point {
				divisor *= 10
			}
		default:
			return 0, fmt.Errorf("%w: %q", errFormat, p)
		}
	}
	if count == 0 {
		return 0, fmt.Errorf("%w: %q has no digit", errFormat, p)
	}
	return sign * float64(mantissa) / divisor, nil
}
