// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

func TestSameDefinitions(t *testing.T) {
	msg := func(text string) Definition { return Definition{Encoding: encodingMsg, Text: text} }
	idl := func(fields string) Definition {
		return Definition{Encoding: encodingIDL, Text: "module a { module msg { struct B { " + fields + " }; }; };"}
	}
	hash := func(text string) Definition {
		typ, err := dynamic.Resolve("a/msg/B", func(string) (string, bool) { return text, true })
		if err != nil {
			t.Fatal(err)
		}
		return Definition{Hash: typ.Hash()}
	}
	none := Definition{}
	wide := strings.Repeat("#", maxText+1)
	for name, c := range map[string]struct {
		a, b Definition
		want bool
	}{
		"equal":                      {msg("int8 x\n"), msg("int8 x\n"), true},
		"comments and white space":   {msg("# of a tank\nint8   x # level\n\n"), msg("int8\tx\r\n"), true},
		"constants":                  {msg("int8 K=3\nint8 x\n"), msg("int8 x\nint8 L=4\n"), true},
		"defaults":                   {msg("int8 x 1\n"), msg("int8 x 2\n"), true},
		"another type":               {msg("int8 x\n"), msg("int16 x\n"), false},
		"another name":               {msg("int8 x\n"), msg("int8 y\n"), false},
		"another order":              {msg("int8 x\nint8 y\n"), msg("int8 y\nint8 x\n"), false},
		"one more field":             {msg("int8 x\n"), msg("int8 x\nint8 y\n"), false},
		"a bound":                    {msg("string<=3 x\n"), msg("string x\n"), false},
		"an array":                   {msg("int8[3] x\n"), msg("int8[] x\n"), false},
		"the empty message":          {msg(""), msg("# nothing\n"), true},
		"empty and not empty":        {msg(""), msg("int8 x\n"), false},
		"short and full names":       {msg("C c\n===\nMSG: a/C\nint8 x\n"), msg("a/msg/C c\n===\nMSG: a/msg/C\nint8 x\n"), true},
		"a nested type differs":      {msg("C c\n===\nMSG: a/C\nint8 x\n"), msg("C c\n===\nMSG: a/C\nint8 y\n"), false},
		"a nested type is missing":   {msg("C c\n"), msg("C c\n===\nMSG: a/C\nint8 x\n"), true},
		"and the fields differ":      {msg("C c\n"), msg("C d\n===\nMSG: a/C\nint8 x\n"), false},
		"an unsupported type":        {msg("wstring s 'a'\n"), msg("wstring  s\n"), true},
		"and another name of it":     {msg("wstring s\n"), msg("wstring t\n"), false},
		"IDL":                        {idl("int8 x;"), idl("@unit(value=\"m\") int8   x;"), true},
		"IDL, another type":          {idl("int8 x;"), idl("int16 x;"), false},
		"IDL and .msg":               {idl("double x; sequence<float, 3> y;"), msg("float64 x\nfloat32[<=3] y\n"), true},
		"IDL and .msg that differ":   {idl("double x;"), msg("float32 x\n"), false},
		"ROS 1":                      {Definition{"ros1msg", "time t # now\n", ""}, Definition{"ros1msg", "time  t\n", ""}, true},
		"ROS 1 that differ":          {Definition{"ros1msg", "time t\n", ""}, Definition{"ros1msg", "duration t\n", ""}, false},
		"JSON":                       {Definition{"jsonschema", `{"a": 1}`, ""}, Definition{"jsonschema", "{\"a\": 2}", ""}, false},
		"JSON, white space":          {Definition{"jsonschema", `{"a": 1}`, ""}, Definition{"jsonschema", "{\"a\":\n 1}", ""}, true},
		"encodings without a common": {Definition{"jsonschema", `{}`, ""}, Definition{"protobuf", "\x0a", ""}, true},
		"too long to read":           {msg(wide), msg(wide + "\nint8 x"), false},
		"equal hashes":               {hash("int8 x"), hash("int8 x"), true},
		"other hashes":               {hash("int8 x"), hash("int8 y"), false},
		"a hash and its definition":  {hash("int8 x"), msg("int8 x # m\n"), true},
		"a hash and another":         {hash("int8 x"), msg("int16 x\n"), false},
		"a hash and IDL":             {hash("int8 x"), idl("int8 x;"), true},
		"a hash and nothing":         {hash("int8 x"), none, true},
		"a definition and nothing":   {msg("int8 x\n"), none, true},
		"nothing":                    {none, none, true},
	} {
		for _, pair := range [][2]Definition{{c.a, c.b}, {c.b, c.a}} {
			if got := Same("a/msg/B", pair[0], pair[1]); got != c.want {
				t.Errorf("%s: %t, want %t: %.200v", name, got, c.want, pair)
			}
		}
	}
}

// TestDefinitionsOfTheProgramAreTheSame: each type's hash, its .msg text, and none of another type.
func TestDefinitionsOfTheProgramAreTheSame(t *testing.T) {
	var last Definition
	for _, name := range msgs.Names() {
		typ, err := dynamic.Resolve(name, msgs.Definition)
		if err != nil || !strings.Contains(name, "/msg/") {
			continue
		}
		text, hash := Definition{Encoding: encodingMsg, Text: typ.MsgText()}, Definition{Hash: typ.Hash()}
		if !Same(name, text, hash) {
			t.Errorf("%s has another hash than its text", name)
		}
		if last.Hash != "" && Same(name, text, last) {
			t.Errorf("%s is the same as the type before", name)
		}
		last = hash
	}
}
