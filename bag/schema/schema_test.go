// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

var separator = strings.Repeat("=", 80) + "\n"

// TestDefinitions: the forms in which recorders write definitions, and what they mean.
func TestDefinitions(t *testing.T) {
	for name, c := range map[string]struct{ rosType, encoding, text, want string }{
		"plain":         {"own_msgs/msg/Level", encodingMsg, "float64 height\nint32 tank\n", "float64 height\nint32 tank\n"},
		"name of ROS 1": {"own_msgs/Level", encodingMsg, "float64 height", "float64 height\n"},
		"empty":         {"std_msgs/msg/Empty", encodingMsg, "", ""},
		"only comments": {"std_msgs/msg/Empty", encodingMsg, "# nothing\n\n", ""},
		"CRLF, comments, constants, Header": {
			"own_msgs/msg/L", encodingMsg,
			"# a level\r\nfloat64 height  # m\r\nint32 K=3\r\nstring S = \"a # b\"\r\nHeader header\r\n" + separator +
				"MSG: std_msgs/Header\r\nbuiltin_interfaces/Time stamp\r\nstring frame_id\r\n" + separator + "MSG: builtin_interfaces/Time\r\nint32 sec\r\nuint32 nanosec\r\n",
			"float64 height\nstd_msgs/Header header\n" + separator + "MSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n" + separator +
				"MSG: std_msgs/Header\nbuiltin_interfaces/Time stamp\nstring frame_id\n",
		},
		"own package, bounds, defaults": {
			"a/msg/B", encodingMsg, "C[<=3] c\nstring<=5 s \"x # y\"\nuint8[2] k [1, 2]\nbool\tb   true # yes\n" + separator + "MSG: a/C\nint8 x\n",
			"a/C[<=3] c\nstring<=5 s \"x # y\"\nuint8[2] k [1, 2]\nbool b true\n" + separator + "MSG: a/C\nint8 x\n",
		},
		"full names of sections":     {"a/msg/B", encodingMsg, "a/msg/C c\n" + separator + "MSG: a/msg/C\nint8 x\n", "a/C c\n" + separator + "MSG: a/C\nint8 x\n"},
		"nested type of the program": {"a/msg/B", encodingMsg, "geometry_msgs/Point p\n", "geometry_msgs/Point p\n" + separator + "MSG: geometry_msgs/Point\nfloat64 x\nfloat64 y\nfloat64 z\n"},
		"time":                       {"a/msg/B", encodingMsg, "time t\n", "builtin_interfaces/Time t\n" + separator + "MSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n"},
		"IDL": {
			"own_msgs/msg/Level", encodingIDL, separator + "IDL: own_msgs/msg/Level\n" +
				"module own_msgs {\n  module msg {\n    @verbatim (language=\"comment\", text=\"a level in a tank\" \"\\n\" \"and more\")\n    struct Level {\n      double height;\n      int32 tank;\n    };\n  };\n};\n",
			"float64 height\nint32 tank\n",
		},
		"IDL with all": {
			"own_msgs/msg/All", encodingIDL, "#include \"std_msgs/msg/Header.idl\"\n// generated\nmodule own_msgs { module msg {\n" +
				"typedef double double__4[4];\nmodule All_Constants { const uint8 N = 3; @verbatim(language=\"comment\", text=\"x\") const string T = \"a\"; };\n" +
				"struct All { @default (value=TRUE) boolean b; octet o; char c; sequence<float> f; sequence<string<5>, 2> s; double__4 d; long l; unsigned long long u; " +
				"@unit(value=\"m\") short a, e; long grid[2][3]; geometry_msgs::msg::Point p; Other other; uint8 n[3]; @default (value=\"hi\") string t; };\n" +
				"struct Other { uint8 structure_needs_at_least_one_member; };\n}; };\n",
			"bool b true\nbyte o\nuint8 c\nfloat32[] f\nstring<=5[<=2] s\nfloat64[4] d\nint32 l\nuint64 u\nint16 a\nint16 e\nint32[6] grid\ngeometry_msgs/Point p\nown_msgs/Other other\nuint8[3] n\nstring t \"hi\"\n" +
				separator + "MSG: geometry_msgs/Point\nfloat64 x\nfloat64 y\nfloat64 z\n" + separator + "MSG: own_msgs/Other\n",
		},
		"IDL of two files": {
			"a/msg/B", encodingIDL, separator + "IDL: a/msg/B\nmodule a { module msg { struct B { a::msg::C c; }; }; };\n" + separator + "IDL: a/msg/C\nmodule a { module msg { struct C { float x; }; }; };\n",
			"a/C c\n" + separator + "MSG: a/C\nfloat32 x\n",
		},
		"event of a service": {
			"a/srv/S_Event", encodingMsg, "service_msgs/ServiceEventInfo info\nS_Request[<=1] request\nS_Response[<=1] response\n" + separator + "SRV: a/S\nbool on\n---\nstring text\n",
			"",
		},
	} {
		got, err := Parse(c.rosType, c.encoding, c.text, msgs.Definition)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if text := got.MsgText(); text != c.want && c.want != "" {
			t.Errorf("%s:\n%s\nwant\n%s", name, text, c.want)
		}
	}
}

// TestDefinitionsThatCannotBeRead: the error says what and where.
func TestDefinitionsThatCannotBeRead(t *testing.T) {
	for name, c := range map[string]struct {
		encoding, text, want string
		err                  error
	}{
		"JSON":                {"jsonschema", `{}`, "jsonschema", ErrEncoding},
		"ROS 1":               {"ros1msg", "int8 x", "ros1msg", ErrEncoding},
		"none":                {"", "int8 x", `""`, ErrEncoding},
		"without a name":      {encodingMsg, "int8 x\nint8\n", "line 2", ErrSyntax},
		"a section of prose":  {encodingMsg, "int8 x\n" + separator + "prose\n", "line 3", ErrSyntax},
		"unknown nested":      {encodingMsg, "no_such/Type x\n", "no_such/msg/Type", dynamic.ErrUnknownType},
		"contains itself":     {encodingMsg, "B b\n", "contains itself", dynamic.ErrDefinition},
		"bad bound":           {encodingMsg, "int8[x] b\n", "int8[x]", dynamic.ErrDefinition},
		"wide text":           {encodingMsg, "wstring w\n", "wstring", dynamic.ErrUnsupported},
		"IDL that ends":       {encodingIDL, "module a { module msg { struct B { double x;", `want "}"`, ErrSyntax},
		"IDL without type":    {encodingIDL, "module a { module msg { struct C { double x; }; }; };", "a/msg/B", dynamic.ErrUnknownType},
		"IDL, a list of list": {encodingIDL, "module a { module msg { struct B { sequence<sequence<double>> x; }; }; };", "list of lists", ErrSyntax},
		"IDL, a union":        {encodingIDL, "module a { union U switch (long) { case 1: long x; }; };", `"union"`, ErrSyntax},
		"IDL, text":           {encodingIDL, "\"", "", ErrSyntax},
		"IDL, size":           {encodingIDL, "module a { module msg { struct B { long x[N]; }; }; };", `"N" is no number`, ErrSyntax},
	} {
		if got, err := Parse("a/msg/B", c.encoding, c.text, msgs.Definition); !errors.Is(err, c.err) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, %v; want %v with %q", name, got, err, c.err, c.want)
		}
	}
}

// TestDefinitionsOfTheProgram: every type of the program is read again from its own text, and has the same hash.
func TestDefinitionsOfTheProgram(t *testing.T) {
	for _, name := range msgs.Names() {
		want, err := dynamic.Resolve(name, msgs.Definition)
		if err != nil || !strings.Contains(name, "/msg/") {
			continue
		}
		got, err := Parse(name, encodingMsg, want.MsgText(), nil)
		if err != nil || got.Hash() != want.Hash() {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFilesOfROS: the .msg files as they come, with comments and constants, define the types of the program.
func TestFilesOfROS(t *testing.T) {
	files := msgs.Sources()
	read := 0
	for _, name := range msgs.Names() {
		text, err := fs.ReadFile(files, name+".msg")
		want, known := dynamic.Resolve(name, msgs.Definition)
		if err != nil || known != nil {
			continue
		}
		read++
		got, err := Parse(name, encodingMsg, string(text), msgs.Definition)
		if err != nil || got.Hash() != want.Hash() {
			t.Errorf("%s: %v", name, err)
		}
	}
	if read < 100 {
		t.Errorf("%d files", read)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(true, "int8 x\n"+separator+"MSG: a/C\nstring<=3[4] y [\"a\"]\n")
	f.Add(false, "module a { module msg { typedef sequence<double, 3> d; struct B { @default(value=1) long x[2]; d y; }; }; };")
	f.Add(false, "const long N = 3; enum E { A }; struct a { E e[N]; };")
	f.Fuzz(func(_ *testing.T, msg bool, text string) {
		encoding := encodingIDL
		if msg {
			encoding = encodingMsg
		}
		_, _ = Parse("a/msg/B", encoding, text, msgs.Definition)
	})
}
