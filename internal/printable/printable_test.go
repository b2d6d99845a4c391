// SPDX-License-Identifier: Apache-2.0

package printable

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestEscapesControlCharacters(t *testing.T) {
	for _, c := range []struct{ in, text, line string }{
		{"", "", ""},
		{"/epuck_driver [std_msgs/msg/String]", "/epuck_driver [std_msgs/msg/String]", "/epuck_driver [std_msgs/msg/String]"},
		{"größe 5 µm ✓ 😀", "größe 5 µm ✓ 😀", "größe 5 µm ✓ 😀"},
		{"a\n\tb", "a\n\tb", `a\n\tb`},
		{"\x1b[2Jx", `\x1b[2Jx`, `\x1b[2Jx`},
		{"\x1b]52;c;Zm9v\a", `\x1b]52;c;Zm9v\x07`, `\x1b]52;c;Zm9v\x07`},
		{"a\rb\x7f\x00", `a\rb\u007f\x00`, `a\rb\u007f\x00`},
		{"\u009b2J\u0085", `\u009b2J\u0085`, `\u009b2J\u0085`},
		{"\x9b2J", `\x9b2J`, `\x9b2J`}, // C1 as a byte of Latin-1
		{"a\u202eb\u2066c\u200fd\ufeff", `a\u202eb\u2066c\u200fd\ufeff`, `a\u202eb\u2066c\u200fd\ufeff`},
		{"a\u2028b\u2029", `a\u2028b\u2029`, `a\u2028b\u2029`},
		{"\U000e0041", `\udb40\udc41`, `\udb40\udc41`}, // a tag character
		{"\xff\xc3", `\xff\xc3`, `\xff\xc3`},
		{"\ufffd", "\ufffd", "\ufffd"}, // the replacement character itself is printable
	} {
		if got := Text(c.in); got != c.text {
			t.Errorf("Text(%q) = %q, want %q", c.in, got, c.text)
		}
		if got := Line(c.in); got != c.line {
			t.Errorf("Line(%q) = %q, want %q", c.in, got, c.line)
		}
	}
}

// Whatever the bytes, the result is valid UTF-8 without control characters; escaping twice changes nothing.
func TestResultIsPrintable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) + rapid.String().Draw(t, "text")
		for name, f := range map[string]func(string) string{"Text": Text, "Line": Line} {
			out := f(in)
			if !utf8.ValidString(out) || f(out) != out {
				t.Fatalf("%s(%q) = %q", name, in, out)
			}
			for _, r := range out {
				if !IsPrintable(r) && (name == "Line" || r != '\n' && r != '\t') {
					t.Fatalf("%s(%q) holds %U", name, in, r)
				}
			}
		}
	})
}

func TestPrintableTextIsNotCopied(t *testing.T) {
	text := strings.Repeat("/robot/odom: größe\n", 10)
	if n := testing.AllocsPerRun(10, func() { _ = Text(text) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestWriterEscapes(t *testing.T) {
	var b bytes.Buffer
	if n, err := NewWriter(&b).Write([]byte("a\x1bc\n")); n != 4 || err != nil || b.String() != "a\\x1bc\n" {
		t.Errorf("%d, %v, %q", n, err, b.String())
	}
	b.Reset()
	Fprintf(&b, "%s=%d\n", "\x1b[31m", 5)
	if b.String() != "\\x1b[31m=5\n" {
		t.Errorf("%q", b.String())
	}
	if _, err := NewWriter(failing{}).Write([]byte("a")); err == nil {
		t.Error("the error of the writer below is lost")
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestUnwrap(t *testing.T) {
	var b bytes.Buffer
	if Unwrap(NewWriter(&b)) != &b || Unwrap(&b) != &b {
		t.Error("not the writer below")
	}
}

func TestEscapedJSONIsTheSameJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.StringOf(rapid.OneOf(rapid.Rune(), rapid.RuneFrom([]rune("\U000110bd\u007f\u009b\u202e\u2028\x1b\n\t")))).Draw(t, "text")
		encoded, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		var out string
		if err := json.Unmarshal([]byte(Text(string(encoded))), &out); err != nil || out != in {
			t.Fatalf("%q: %q, %v", in, out, err)
		}
	})
}

func FuzzText(f *testing.F) {
	f.Add("\x1b[2J\u202e\xff")
	f.Fuzz(func(t *testing.T, s string) {
		if out := Text(s); !utf8.ValidString(out) || Text(out) != out {
			t.Errorf("Text(%q) = %q", s, out)
		}
	})
}
