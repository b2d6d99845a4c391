// SPDX-License-Identifier: Apache-2.0

package idl_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/internal/idl"
)

func TestParseErrors(t *testing.T) {
	for _, c := range []struct {
		text string
		kind error
		want string // how the error begins
	}{
		{"bool", idl.ErrSyntax, "T.msg:1:5:"},
		{"\nbool a\nint32  ", idl.ErrSyntax, "T.msg:3:"},
		{"bool Name", idl.ErrName, "T.msg:1:6:"},
		{"bool a__b", idl.ErrName, "T.msg:1:6:"},
		{"bool a_", idl.ErrName, "T.msg:1:6:"},
		{"bool a\n bool a", idl.ErrName, `T.msg:2:7: bad name: "a" is already on line 1`},
		{"uint8 lower = 1", idl.ErrName, "T.msg:1:7:"},
		{"wstring a", idl.ErrType, "T.msg:1:1: bad type: wstring"},
		{"wstring<=4 a", idl.ErrType, "T.msg:1:1: bad type: wstring"},
		{"wstring[] a", idl.ErrType, "T.msg:1:1: bad type: wstring"},
		{"int7 a", idl.ErrType, "T.msg:1:1:"},
		{"  a/b/C c", idl.ErrType, "T.msg:1:3:"},
		{"int8<=4 a", idl.ErrType, "T.msg:1:1:"},
		{"int8[0] a", idl.ErrType, "T.msg:1:1:"},
		{"int8[-1] a", idl.ErrType, "T.msg:1:1:"},
		{"int8[<=] a", idl.ErrType, "T.msg:1:1:"},
		{"int8[99999999999] a", idl.ErrType, "T.msg:1:1:"},
		{"int8[3 a", idl.ErrType, "T.msg:1:1:"},
		{"string<=0 a", idl.ErrType, "T.msg:1:1:"},
		{"Point A = 1", idl.ErrType, "T.msg:1:1:"},
		{"uint8[2] A = 1", idl.ErrType, "T.msg:1:1:"},
		{"uint8 A = 256", idl.ErrValue, "T.msg:1:7:"},
		{"uint8 A =", idl.ErrValue, "T.msg:1:7:"},
		{"uint8 a -1", idl.ErrValue, "T.msg:1:9:"},
		{"bool a maybe", idl.ErrValue, "T.msg:1:8:"},
		{"float32 a 1e999", idl.ErrValue, "T.msg:1:11:"},
		{"float64 a nan", idl.ErrValue, "T.msg:1:11:"},
		{"float64 A = -inf", idl.ErrValue, "T.msg:1:9:"},
		{"bool a\nbool b # \x80", idl.ErrSyntax, "T.msg:2:10: syntax error: a character"},
		{"bool a\x00", idl.ErrSyntax, "T.msg:1:7:"},
		{"\uFEFFbool a", idl.ErrSyntax, "T.msg:1:1:"},
		{"Point a 1", idl.ErrValue, "T.msg:1:9:"},
		{"int8[2] a [1]", idl.ErrValue, "T.msg:1:11:"},
		{"int8[<=1] a [1, 2]", idl.ErrValue, "T.msg:1:13:"},
		{"int8[2] a 1, 2", idl.ErrValue, "T.msg:1:11:"},
		{"string a \"open", idl.ErrValue, "T.msg:1:10:"},
		{"string<=2 a \"long\"", idl.ErrValue, "T.msg:1:13:"},
	} {
		_, err := idl.ParseMessage("T.msg", "test_msgs", "T", c.text)
		var where *idl.Error
		if !errors.Is(err, c.kind) || !errors.As(err, &where) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s %v", c.text, err, c.want, c.kind)
		}
	}
}

func TestServiceErrors(t *testing.T) {
	for text, want := range map[string]string{
		"bool a\n":                 "S.srv:2:1: syntax error",
		"---\n---\n":               "S.srv:2:1: syntax error",
		"bool a\n---\nbool B\n":    "S.srv:3:6: bad name",
		"wstring a\n---\nbool b\n": "S.srv:1:1: bad type",
	} {
		if _, err := idl.ParseService("S.srv", "p", "S", text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestFileNames(t *testing.T) {
	for _, c := range []struct{ pkg, name string }{{"Std", "A"}, {"std__msgs", "A"}, {"", "A"}, {"std_msgs", "a"}, {"std_msgs", "A_B"}} {
		if _, err := idl.ParseMessage("f", c.pkg, c.name, ""); !errors.Is(err, idl.ErrName) {
			t.Errorf("message %s/%s: %v", c.pkg, c.name, err)
		}
		if _, err := idl.ParseService("f", c.pkg, c.name, "---"); !errors.Is(err, idl.ErrName) {
			t.Errorf("service %s/%s: %v", c.pkg, c.name, err)
		}
	}
}

// FuzzParse parses any text as a message and as a service: errors have a position inside the text, parsed definitions
// have valid names and sizes.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"", "bool a", "uint8 A = 1 # c", "string<=3[<=2] a ['x', \"y\"]", "# d\n\nstd_msgs/Header header\n---\nint8[3] b [1,2,3]\n---",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Count(text, "\n") + 1
		check := func(m *idl.Message, err error) {
			var where *idl.Error
			if err != nil && (!errors.As(err, &where) || where.Line < 1 || where.Line > lines || where.Column < 1) {
				t.Fatalf("position of %v in %d lines", err, lines)
			}
			if err != nil {
				return
			}
			for _, f := range m.Fields {
				if f.Name == "" || f.Type.Size < 0 || (f.Type.Base == idl.Nested) != (f.Type.Ref != "") {
					t.Fatalf("field %+v", f)
				}
			}
		}
		check(idl.ParseMessage("f", "p", "T", text))
		if s, err := idl.ParseService("f", "p", "S", text); err != nil {
			check(nil, err)
		} else {
			check(&s.Request, nil)
			check(&s.Response, nil)
		}
	})
}
