// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// repeat returns lines, numbered in place of "$", that fill the limit of a definition together with what is around them.
func repeat(before, line, after string) string {
	var b strings.Builder
	b.WriteString(before)
	for i := 0; ; i++ {
		next := strings.ReplaceAll(line, "$", fmt.Sprint(i))
		if b.Len()+len(next)+len(after) > maxText {
			break
		}
		b.WriteString(next)
	}
	b.WriteString(after)
	return b.String()
}

// TestDefinitionsAtTheLimit: definitions of 256 KiB of every form are read, or refused with a reason, in time that is
// proportional to their length: all of them take less than a second together.
func TestDefinitionsAtTheLimit(t *testing.T) {
	const module = "module a { module msg { "
	for name, c := range map[string]struct {
		encoding, text string
		want           error
		reason         string
	}{
		"fields":             {encodingMsg, repeat("", "bool b$\n", ""), nil, ""},
		"comments":           {encodingMsg, repeat("bool b\n", "# comment $\n", ""), nil, ""},
		"a comment":          {encodingMsg, "bool b # " + strings.Repeat("x", maxText-9), nil, ""},
		"nested definitions": {encodingMsg, repeat("C0 c\n", "===\nMSG: a/C$\nint8 x\n", ""), nil, ""},
		"used definitions":   {encodingMsg, repeat("", "C[<=2] c$\n", "===\nMSG: a/C\nint8 x\n"), nil, ""},
		"quotes":             {encodingMsg, "string s " + strings.Repeat(`"`, maxText-9), nil, ""},
		"quotes of two":      {encodingMsg, "string s " + strings.Repeat(`"'`, maxText/2-5), nil, ""},
		"quotes, no space":   {encodingMsg, strings.Repeat(`"'`, maxText/2), ErrSyntax, "has no name"},
		"parts":              {encodingMsg, repeat("", "---\n", ""), nil, ""},
		"separators":         {encodingMsg, repeat("bool b\n", "===\n", ""), ErrSyntax, "line"},
		"a field twice":      {encodingMsg, repeat("bool b0\n", "bool b$\n", ""), dynamic.ErrDefinition, `"b0"`},
		"IDL, fields":        {encodingIDL, repeat(module+"struct B { ", "boolean b$; ", "}; }; };"), nil, ""},
		"IDL, structures":    {encodingIDL, repeat(module, "struct C${char c;}; ", "struct B { C0 c; }; }; };"), nil, ""},
		"IDL, constants":     {encodingIDL, repeat(module, "const long N$=$; ", "struct B { char c[N7]; }; }; };"), nil, ""},
		"IDL, a constant":    {encodingIDL, repeat(module+"const string S = ", `"$" `, "; struct B { char c; }; }; };"), nil, ""},
		"IDL, a long name":   {encodingIDL, repeat(module+"struct B { c", "::c", " c; }; }; };"), dynamic.ErrDefinition, "type"},
		"IDL, sequences":     {encodingIDL, repeat(module+"struct B { ", "sequence<", "char> c; }; }; };"), ErrSyntax, "list of lists"},
		"IDL, enumerations":  {encodingIDL, repeat(repeat(module, "enum E$ {};", "")[:maxText/2]+" {}; struct B { ", "E0 e$; ", "}; }; };"), nil, ""},
		"IDL, comment":       {encodingIDL, repeat(module+`struct B { @verbatim(language="comment", text=`, `"$" `, ") char c; }; }; };"), nil, ""},
		"IDL, annotations":   {encodingIDL, repeat(module+"struct B { ", "@key ", "char c; }; }; };"), nil, ""},
		"IDL, type definitions": {
			encodingIDL, func() string {
				var b strings.Builder
				b.WriteString(module + "typedef char t0; ")
				for i := range 31 {
					fmt.Fprintf(&b, "typedef t%d t%d; ", i, i+1)
				}
				return repeat(b.String()+"struct B { ", "t31 c$; ", "}; }; };")
			}(), nil, "",
		},
		"IDL, deep modules": {
			encodingIDL, repeat(strings.Repeat("module "+strings.Repeat("m", 29)+" { ", maxScope)+"struct C { ", "geometry_msgs::msg::Point c$; ", "}; "+strings.Repeat("};", maxScope)+
				module+"struct B { char c; }; }; };"), nil, "",
		},
	} {
		if len(c.text) > maxText {
			t.Errorf("%s: the definition of the test has %d bytes", name, len(c.text))
		}
		_, err := Parse("a/msg/B", c.encoding, c.text, nil)
		if !errors.Is(err, c.want) || c.want == nil && err != nil || c.want != nil && !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s: %.200v, want %v with %q", name, err, c.want, c.reason)
		}
	}
}

// TestDefinitionsAboveTheLimits: what is longer, larger or expands to more is refused with the number.
func TestDefinitionsAboveTheLimits(t *testing.T) {
	long := strings.Repeat("n", maxName)
	const module = "module a { module msg { "
	for name, c := range map[string]struct{ rosType, encoding, text, want string }{
		"text":                   {"a/msg/B", encodingMsg, strings.Repeat("$", maxText+1), "has 262145 bytes, the limit is 262144"},
		"text of IDL":            {"a/msg/B", encodingIDL, strings.Repeat(" ", maxText+1), "has 262145 bytes, the limit is 262144"},
		"name":                   {"a/msg/" + long, encodingMsg, "bool b", "a name of 1030 bytes, the limit is 1024"},
		"name of a section":      {"a/msg/B", encodingMsg, "bool b\n===\nMSG: a/" + long + "\nbool b\n", "line 3: a name of 1026 bytes, the limit is 1024"},
		"names that are full":    {long[:1000] + "/msg/B", encodingMsg, repeat("", "C c$\n", ""), "the limit is 4194304"},
		"modules of IDL":         {"a/msg/B", encodingIDL, "module " + long + " { module m {}; };", "a name of 1027 bytes, the limit is 1024"},
		"a default of many":      {"a/msg/B", encodingIDL, repeat(module+"struct B { @default (value=\""+strings.Repeat("x", 10_000)+"\") string s", ",s$", "; }; }; };"), "the limit is 4194304"},
		"array of IDL":           {"a/msg/B", encodingIDL, module + "struct B { char c[4194305]; }; };", "1 × 4194305 elements, the limit is 4194304"},
		"arrays of IDL":          {"a/msg/B", encodingIDL, module + "struct B { char c[4096][4096]; }; };", "4096 × 4096 elements"},
		"sizes that overflow":    {"a/msg/B", encodingIDL, module + "struct B { char c[2][9223372036854775807]; }; };", "2 × 9223372036854775807 elements"},
		"arrays by their types":  {"a/msg/B", encodingIDL, module + "typedef char t[4096]; typedef t u[4096]; struct B { u c; }; }; };", "4096 × 4096 elements"},
		"array of a .msg":        {"a/msg/B", encodingMsg, "int8[4194305] b\n", "4194304"},
		"type definitions, deep": {"a/msg/B", encodingIDL, module + "typedef u t; typedef t u; struct B { u c; }; }; };", "more than 32 deep"},
	} {
		if _, err := Parse(c.rosType, c.encoding, c.text, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %.300v, want %q", name, err, c.want)
		}
	}
}
