// SPDX-License-Identifier: Apache-2.0

package dynamic

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Arrays of numbers are NumPy's in Python and shown in its format: eight digits, all elements of one width, lines of 75
// characters.
const (
	numpyDigits = 8
	numpyWidth  = 75
)

// writeNumpy writes an array of numbers; literal adds "array(" and the type.
func writeNumpy(b *strings.Builder, f *Field, v any, literal bool) {
	separator, indent := " ", " "
	if literal {
		separator, indent = ", ", strings.Repeat(" ", len("array(["))
		b.WriteString("array(")
	}
	b.WriteByte('[')
	words := numpyWords(f, v)
	line := len(indent)
	for i, word := range words {
		if i > 0 {
			if line+len(word) > numpyWidth-1 && line > len(indent) {
				b.WriteString(strings.TrimRight(separator, " ") + "\n" + indent)
				line = len(indent)
			} else {
				b.WriteString(separator)
			}
		}
		b.WriteString(word)
		line += len(word) + len(separator)
	}
	b.WriteByte(']')
	if !literal {
		return
	}
	if f.Kind != Float64 && f.Kind != Int64 {
		b.WriteString(", dtype=" + f.Kind.String())
	}
	b.WriteByte(')')
}

// numpyWords returns the elements, padded to one width.
func numpyWords(f *Field, v any) []string {
	var words []string
	var floats []float64
	switch list := v.(type) {
	case []byte:
		for _, x := range list {
			words = append(words, strconv.Itoa(int(x)))
		}
	case []any:
		for _, x := range list {
			if d, ok := x.(float64); ok {
				floats = append(floats, d)
			} else {
				words = append(words, scalarText(x))
			}
		}
	}
	bits := 64
	if f.Kind == Float32 {
		bits = 32
	}
	if floats != nil {
		words = numpyFloats(floats, bits)
	}
	width := 0
	for _, w := range words {
		width = max(width, len(w))
	}
	for i, w := range words {
		words[i] = strings.Repeat(" ", width-len(w)) + w
	}
	return words
}

// numpyFloats returns numbers with aligned decimal points.
func numpyFloats(values []float64, bits int) []string {
	exponent := numpyExponent(values)
	words := make([]string, len(values))
	fraction, exponentSize := 0, 0
	for i, v := range values {
		words[i] = numpyFloat(v, bits, exponent)
		mantissa, exp, _ := strings.Cut(words[i], "e")
		if _, frac, finite := strings.Cut(mantissa, "."); finite {
			fraction = max(fraction, len(frac))
			exponentSize = max(exponentSize, len(exp))
		}
	}
	for i, w := range words {
		mantissa, exp, _ := strings.Cut(w, "e")
		_, frac, finite := strings.Cut(mantissa, ".")
		switch missing := fraction - len(frac); {
		case !finite: // inf and nan are right-aligned
		case exponent:
			words[i] = mantissa + strings.Repeat("0", missing) + "e" + exp[:1] + strings.Repeat("0", exponentSize-len(exp)) + exp[1:]
		default:
			words[i] = mantissa + strings.Repeat(" ", missing)
		}
	}
	return words
}

// numpyExponent reports whether the numbers are shown with exponents.
func numpyExponent(values []float64) bool {
	var sizes []float64
	for _, v := range values {
		if v != 0 && !math.IsNaN(v) && !math.IsInf(v, 0) {
			sizes = append(sizes, math.Abs(v))
		}
	}
	if len(sizes) == 0 {
		return false
	}
	least, most := slices.Min(sizes), slices.Max(sizes)
	return most >= 1e8 || least < 1e-4 || most/least > 1000
}

// numpyFloat returns the number with the fewest digits that identify it, at most eight after the decimal point, which
// is included in any case.
func numpyFloat(v float64, bits int, exponent bool) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return pyFloat(v)
	}
	format := byte('f')
	if exponent {
		format = 'e'
	}
	s := strconv.FormatFloat(v, format, -1, bits)
	mantissa, exp, _ := strings.Cut(s, "e")
	if _, frac, _ := strings.Cut(mantissa, "."); len(frac) > numpyDigits {
		s = strconv.FormatFloat(v, format, numpyDigits, bits)
		mantissa, exp, _ = strings.Cut(s, "e")
		mantissa = strings.TrimRight(mantissa, "0")
	}
	if !strings.Contains(mantissa, ".") {
		mantissa += "."
	}
	if exponent {
		return mantissa + "e" + exp
	}
	return mantissa
}
