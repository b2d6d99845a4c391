// SPDX-License-Identifier: Apache-2.0

package idl_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/msgs/internal/idl"
)

// drawType draws the type of a field and its text.
func drawType(t *rapid.T) (idl.Type, string) {
	bases := []idl.Base{
		idl.Bool, idl.Byte, idl.Char, idl.Int8, idl.Uint8, idl.Int16, idl.Uint16, idl.Int32, idl.Uint32, idl.Int64, idl.Uint64,
		idl.Float32, idl.Float64, idl.String, idl.Nested,
	}
	typ := idl.Type{Base: rapid.SampledFrom(bases).Draw(t, "base")}
	text := string(typ.Base)
	switch typ.Base {
	case idl.Nested:
		// The three forms of a message's name, and their meaning in package test_msgs.
		names := map[string]string{"Point": "test_msgs/msg/Point", "std_msgs/Header": "std_msgs/msg/Header", "a_b/msg/C1": "a_b/msg/C1"}
		text = rapid.SampledFrom([]string{"Point", "std_msgs/Header", "a_b/msg/C1"}).Draw(t, "reference")
		typ.Ref = names[text]
	case idl.String:
		if typ.StringBound = rapid.IntRange(0, 99).Draw(t, "string bound"); typ.StringBound > 0 {
			text += fmt.Sprintf("<=%d", typ.StringBound)
		}
	}
	size := rapid.IntRange(1, math.MaxInt32).Draw(t, "size")
	switch typ.Container = rapid.SampledFrom([]idl.Container{idl.Single, idl.Array, idl.BoundedSeq, idl.UnboundedSeq}).Draw(t, "container"); typ.Container {
	case idl.Array:
		typ.Size, text = size, fmt.Sprintf("%s[%d]", text, size)
	case idl.BoundedSeq:
		typ.Size, text = size, fmt.Sprintf("%s[<=%d]", text, size)
	case idl.UnboundedSeq:
		text += "[]"
	}
	return typ, text
}

// drawValue draws a value of a base type and a notation for it.
func drawValue(t *rapid.T, b idl.Base) (v idl.Value, text string) {
	switch bits := b.Bits(); b {
	case idl.Bool:
		v.Bool = rapid.Bool().Draw(t, "bool")
		words := map[bool][]string{true: {"true", "True", "TRUE", "1"}, false: {"false", "False", "FALSE", "0"}}
		return v, rapid.SampledFrom(words[v.Bool]).Draw(t, "word")
	case idl.Int8, idl.Int16, idl.Int32, idl.Int64:
		v.Int = rapid.Int64Range(-1<<(bits-1), 1<<(bits-1)-1).Draw(t, "int")
		return v, rapid.SampledFrom([]string{strconv.FormatInt(v.Int, 10), fmt.Sprintf("%#x", v.Int), fmt.Sprintf("%+d", v.Int)}).Draw(t, "form")
	case idl.Float32:
		v.Float = float64(rapid.Float32Range(-math.MaxFloat32, math.MaxFloat32).Draw(t, "float32"))
		return v, strconv.FormatFloat(v.Float, 'g', -1, 32)
	case idl.Float64:
		v.Float = rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64).Draw(t, "float64")
		return v, strconv.FormatFloat(v.Float, 'e', -1, 64)
	case idl.String:
		v.Str = rapid.StringMatching(`[ -~]{0,8}`).Draw(t, "string")
		quote := rapid.SampledFrom([]string{`"`, `'`}).Draw(t, "quote")
		return v, quote + strings.NewReplacer(`\`, `\\`, quote, `\`+quote).Replace(v.Str) + quote
	default:
		v.Uint = rapid.Uint64Range(0, 1<<(bits-1)|(1<<(bits-1)-1)).Draw(t, "uint")
		return v, rapid.SampledFrom([]string{strconv.FormatUint(v.Uint, 10), fmt.Sprintf("%#x", v.Uint), fmt.Sprintf("%#b", v.Uint)}).Draw(t, "form")
	}
}

// TestParserAgainstModel draws messages and compares the parsed ones: types, values in each notation, comments after
// and above declarations, blanks anywhere, both line endings.
func TestParserAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "end of lines")
		gap := func() string { return rapid.SampledFrom([]string{" ", "  ", "\t", " \t "}).Draw(t, "gap") }
		want := &idl.Message{Package: "test_msgs", Kind: "msg", Name: "T"}
		var text strings.Builder
		line := 1
		write := func(s string) {
			text.WriteString(s + end)
			line++
		}
		for i := range rapid.IntRange(0, 6).Draw(t, "declarations") {
			doc := ""
			if rapid.Bool().Draw(t, "comment above") {
				write("# about " + strconv.Itoa(i))
				doc = "about " + strconv.Itoa(i)
			}
			after := ""
			if rapid.Bool().Draw(t, "comment after") {
				after = gap() + "# it's"
				doc = strings.Trim(doc+"\nit's", "\n")
			}
			if rapid.Bool().Draw(t, "constant") {
				c := idl.Constant{Name: fmt.Sprintf("C_%d", i), Base: rapid.SampledFrom([]idl.Base{idl.Bool, idl.Byte, idl.Int64, idl.Uint64, idl.Float32, idl.Float64, idl.String}).Draw(t, "base"), Doc: doc, Line: line}
				var value string
				c.Value, value = drawValue(t, c.Base)
				write(string(c.Base) + gap() + c.Name + rapid.SampledFrom([]string{"=", " = ", "= ", " ="}).Draw(t, "sign") + value + after)
				want.Constants = append(want.Constants, c)
				continue
			}
			f := idl.Field{Name: fmt.Sprintf("f_%d", i), Doc: doc, Line: line}
			var typ string
			f.Type, typ = drawType(t)
			if f.Type.Container == idl.Single && f.Type.Base != idl.Nested && f.Type.StringBound == 0 && rapid.Bool().Draw(t, "default") {
				v, value := drawValue(t, f.Type.Base)
				f.Default = []idl.Value{v}
				after = gap() + value + after
			}
			write(gap() + typ + gap() + f.Name + after)
			want.Fields = append(want.Fields, f)
			if rapid.Bool().Draw(t, "blank line") {
				write(gap())
			}
		}
		got, err := idl.ParseMessage("T.msg", "test_msgs", "T", text.String())
		if err != nil {
			t.Fatalf("%v:\n%s", err, text.String())
		}
		got.Doc = "" // a block above the first declaration may be of the message: TestCommentsFindTheirOwner
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s\n%s", diff, text.String())
		}
	})
}

// TestListsOfDefaults: elements are split at commas outside of quotes, and their number is checked.
func TestListsOfDefaults(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := rapid.SampledFrom([]idl.Base{idl.Bool, idl.Int16, idl.Uint8, idl.Float64, idl.String}).Draw(t, "base")
		want, texts := []idl.Value{}, []string{}
		for range rapid.IntRange(0, 5).Draw(t, "elements") {
			v, text := drawValue(t, base)
			want, texts = append(want, v), append(texts, text)
		}
		list := "[" + strings.Join(texts, rapid.SampledFrom([]string{",", ", ", " , "}).Draw(t, "comma")) + "]"
		for suffix, fits := range map[string]bool{
			"[]": true, fmt.Sprintf("[%d]", len(want)): true, fmt.Sprintf("[<=%d]", len(want)): true, fmt.Sprintf("[<=%d]", len(want)+1): true,
			fmt.Sprintf("[%d]", len(want)+1): false, fmt.Sprintf("[<=%d]", len(want)-1): false,
		} {
			if strings.Contains(suffix, "0]") || strings.Contains(suffix, "-1") {
				continue // no size
			}
			m, err := idl.ParseMessage("T.msg", "test_msgs", "T", string(base)+suffix+" a "+list)
			if fits != (err == nil) || !fits && !errors.Is(err, idl.ErrValue) {
				t.Fatalf("%s%s %s: %v", base, suffix, list, err)
			}
			if err == nil && !slices.Equal(m.Fields[0].Default, want) {
				t.Fatalf("%s became %v", list, m.Fields[0].Default)
			}
		}
	})
}

// TestBoundsOfNumbers: the minimum and maximum of each base type are accepted, values beyond are not.
func TestBoundsOfNumbers(t *testing.T) {
	for base, c := range map[idl.Base]struct{ in, out []string }{
		idl.Int8:    {[]string{"-128", "127", "-0x80"}, []string{"-129", "128", "1.0", "a", ""}},
		idl.Byte:    {[]string{"0", "255"}, []string{"-1", "256"}},
		idl.Char:    {[]string{"0", "255"}, []string{"-1", "256", "'a'"}},
		idl.Int16:   {[]string{"-32768", "32767"}, []string{"-32769", "32768"}},
		idl.Uint16:  {[]string{"0", "65535"}, []string{"-0x1", "65536"}},
		idl.Int32:   {[]string{"-2147483648", "2147483647"}, []string{"-2147483649", "2147483648"}},
		idl.Uint32:  {[]string{"0", "4294967295"}, []string{"4294967296"}},
		idl.Int64:   {[]string{"-9223372036854775808", "9223372036854775807"}, []string{"-9223372036854775809", "9223372036854775808"}},
		idl.Uint64:  {[]string{"18446744073709551615"}, []string{"18446744073709551616"}},
		idl.Float32: {[]string{"3.4028235e38", "-3.4028235e38", "1e-45"}, []string{"3.5e38", "inf", "-inf", "nan", "NaN", "1,0"}},
		idl.Float64: {[]string{"1.7976931348623157e308", "5e-324"}, []string{"1.8e308", "infinity", "0x"}},
		idl.Bool:    {[]string{"true", "FALSE", "0", "1"}, []string{"2", "yes", "t", "-1"}},
	} {
		for _, text := range c.in {
			if _, err := idl.ParseMessage("T.msg", "p", "T", fmt.Sprintf("%s A = %s\n%s a %s", base, text, base, text)); err != nil {
				t.Errorf("%s %s: %v", base, text, err)
			}
		}
		for _, text := range c.out {
			_, err := idl.ParseMessage("T.msg", "p", "T", fmt.Sprintf("%s A = %s", base, text))
			if !errors.Is(err, idl.ErrValue) || text != "" && !strings.Contains(err.Error(), text) {
				t.Errorf("%s %s: %v", base, text, err)
			}
		}
	}
}

// TestQuotes: quotes, escapes and unterminated strings.
func TestQuotes(t *testing.T) {
	for text, want := range map[string]string{
		`""`: "", `''`: "", `"a'b"`: "a'b", `'a"b'`: `a"b`, `"a\"b"`: `a"b`, `"a\\"`: `a\`, `"a\nb\tc"`: "a\nb\tc", `"#"`: "#", `plain words`: "plain words",
		`"é"`: "é", `'\''`: "'", `"\\\""`: `\"`,
	} {
		m, err := idl.ParseMessage("T.msg", "p", "T", "string a "+text+" # and a comment")
		if err != nil || m.Fields[0].Default[0].Str != want || m.Fields[0].Doc != "and a comment" {
			t.Errorf("%s: %+v, %v; want %q", text, m, err, want)
		}
	}
	for _, text := range []string{`"a" b`, `"a" "b"`, `''"`} {
		if m, err := idl.ParseMessage("T.msg", "p", "T", "string a "+text); !errors.Is(err, idl.ErrValue) {
			t.Errorf("%s: %+v, %v", text, m, err)
		}
	}
	for _, text := range []string{`"`, `'`, `"a`, `'a"`, `"a'`, `"a\"`, `'\'`, `"a\\\"`} {
		if m, err := idl.ParseMessage("T.msg", "p", "T", "string a "+text); !errors.Is(err, idl.ErrValue) || !strings.Contains(err.Error(), "unterminated quote") {
			t.Errorf("%s: %+v, %v", text, m, err)
		}
	}
}

// TestDefinitionCutOffAtEveryByte: a truncated definition parses, or causes an error with a position within the text.
func TestDefinitionCutOffAtEveryByte(t *testing.T) {
	const text = "# doc\r\nuint8 A = 0x1f # one\nstring<=9[<=2] s [\"a,#\", 'b']\nstd_msgs/msg/Header[3] h\n---\nfloat32[2] f [1.5, -2]\n---\nbool b true\n"
	for n := range len(text) + 1 {
		cut := text[:n]
		_, message := idl.ParseMessage("f", "p", "T", cut)
		_, service := idl.ParseService("f", "p", "T", cut)
		a, action := idl.ParseAction("f", "p", "T", cut)
		for what, err := range map[string]error{"message": message, "service": service, "action": action} {
			var at *idl.Error
			if err == nil {
				continue
			}
			lines := strings.Split(cut, "\n")
			if !errors.As(err, &at) || at.File != "f" || at.Line < 1 || at.Line > len(lines) || at.Column < 1 || at.Column > len(lines[at.Line-1])+1 {
				t.Errorf("%s of %q: %v", what, cut, err)
			}
		}
		if n == len(text) && (action != nil || len(a.Goal.Fields) != 2 || len(a.Feedback.Fields) != 1) {
			t.Error(action)
		}
	}
}
