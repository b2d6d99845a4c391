// SPDX-License-Identifier: Apache-2.0

package rosjson

import "bytes"

// Strict returns JSON that package json reads: NaN, Infinity and -Infinity, which Python's json module writes although
// the standard (RFC 8259, section 6) has no such numbers, become the texts that [Decode] reads as these numbers. Other
// text is not changed; without such numbers the result is data itself.
func Strict(data []byte) []byte {
	if !bytes.Contains(data, []byte("NaN")) && !bytes.Contains(data, []byte("Infinity")) {
		return data
	}
	out := make([]byte, 0, len(data)+16)
	for i := 0; i < len(data); {
		if data[i] == '"' {
			end := textEnd(data, i)
			out, i = append(out, data[i:end]...), end
			continue
		}
		if word := bareNumber(data[i:]); word != "" && !wordBefore(out) {
			out, i = append(append(append(out, '"'), word...), '"'), i+len(word)
			continue
		}
		out, i = append(out, data[i]), i+1
	}
	return out
}

// textEnd returns the index behind the text that begins at i; the length of data if it does not end.
func textEnd(data []byte, i int) int {
	for i++; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(data)
}

// bareNumber returns the number without a JSON form that data begins with, if any.
func bareNumber(data []byte) string {
	for _, word := range []string{"NaN", "Infinity", "-Infinity"} {
		if bytes.HasPrefix(data, []byte(word)) && !wordBegins(data[len(word):]) {
			return word
		}
	}
	return ""
}

func wordBefore(data []byte) bool { return len(data) > 0 && isWord(data[len(data)-1]) }

func wordBegins(data []byte) bool { return len(data) > 0 && isWord(data[0]) }

// isWord reports whether a byte may be part of a number or a word.
func isWord(b byte) bool {
	return b == '_' || b == '-' || b == '+' || b == '.' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}
