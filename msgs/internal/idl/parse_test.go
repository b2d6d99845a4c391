// SPDX-License-Identifier: Apache-2.0

package idl_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epuck-ros2/epuck-driver/msgs/internal/idl"
)

func TestParseFields(t *testing.T) {
	one := func(v idl.Value) []idl.Value { return []idl.Value{v} }
	for line, want := range map[string]idl.Field{
		"bool a":            {Name: "a", Type: idl.Type{Base: idl.Bool}},
		"  int32\tb_1  ":    {Name: "b_1", Type: idl.Type{Base: idl.Int32}},
		"float64[36] c":     {Name: "c", Type: idl.Type{Base: idl.Float64, Container: idl.Array, Size: 36}},
		"uint8[] d":         {Name: "d", Type: idl.Type{Base: idl.Uint8, Container: idl.UnboundedSeq}},
		"char[<=4] e":       {Name: "e", Type: idl.Type{Base: idl.Char, Container: idl.BoundedSeq, Size: 4}},
		"string<=5 f":       {Name: "f", Type: idl.Type{Base: idl.String, StringBound: 5}},
		"string<=5[<=2] g":  {Name: "g", Type: idl.Type{Base: idl.String, StringBound: 5, Container: idl.BoundedSeq, Size: 2}},
		"Point h":           {Name: "h", Type: idl.Type{Base: idl.Nested, Ref: "test_msgs/msg/Point"}},
		"std_msgs/Header i": {Name: "i", Type: idl.Type{Base: idl.Nested, Ref: "std_msgs/msg/Header"}},
		"a_b/msg/C1[3] j":   {Name: "j", Type: idl.Type{Base: idl.Nested, Ref: "a_b/msg/C1", Container: idl.Array, Size: 3}},
		"bool k true":       {Name: "k", Type: idl.Type{Base: idl.Bool}, Default: one(idl.Value{Bool: true})},
		"uint16 l 0xff":     {Name: "l", Type: idl.Type{Base: idl.Uint16}, Default: one(idl.Value{Uint: 255})},
		"int64 m -7":        {Name: "m", Type: idl.Type{Base: idl.Int64}, Default: one(idl.Value{Int: -7})},
		"float32 n 1e3":     {Name: "n", Type: idl.Type{Base: idl.Float32}, Default: one(idl.Value{Float: 1000})},
		`string o "a=b # c"`: {Name: "o", Type: idl.Type{Base: idl.String},
			Default: one(idl.Value{Str: "a=b # c"})},
		"string p bare words": {Name: "p", Type: idl.Type{Base: idl.String}, Default: one(idl.Value{Str: "bare words"})},
		"int8[2] q [1, -2]": {Name: "q", Type: idl.Type{Base: idl.Int8, Container: idl.Array, Size: 2},
			Default: []idl.Value{{Int: 1}, {Int: -2}}},
		"string[] r ['a,b', \"\"]": {Name: "r", Type: idl.Type{Base: idl.String, Container: idl.UnboundedSeq},
			Default: []idl.Value{{Str: "a,b"}, {}}},
		"bool[] s []": {Name: "s", Type: idl.Type{Base: idl.Bool, Container: idl.UnboundedSeq}, Default: []idl.Value{}},
		"bool u\r":    {Name: "u", Type: idl.Type{Base: idl.Bool}},
	} {
		m, err := idl.ParseMessage("T.msg", "test_msgs", "T", line+"\n")
		if err != nil {
			t.Errorf("%q: %v", line, err)
			continue
		}
		want.Line = 1
		if diff := cmp.Diff([]idl.Field{want}, m.Fields); diff != "" {
			t.Errorf("%q (-want +got):\n%s", line, diff)
		}
	}
}

func TestParseConstants(t *testing.T) {
	for line, want := range map[string]idl.Constant{
		"uint8 A=1":              {Name: "A", Base: idl.Uint8, Value: idl.Value{Uint: 1}},
		"int32 B_2 = -5":         {Name: "B_2", Base: idl.Int32, Value: idl.Value{Int: -5}},
		"byte C = 0x1f":          {Name: "C", Base: idl.Byte, Value: idl.Value{Uint: 31}},
		"bool D = True":          {Name: "D", Base: idl.Bool, Value: idl.Value{Bool: true}},
		"float64 E= 2.5":         {Name: "E", Base: idl.Float64, Value: idl.Value{Float: 2.5}},
		`string F = "x # y = z"`: {Name: "F", Base: idl.String, Value: idl.Value{Str: "x # y = z"}},
		"string G = plain":       {Name: "G", Base: idl.String, Value: idl.Value{Str: "plain"}},
	} {
		m, err := idl.ParseMessage("T.msg", "test_msgs", "T", line)
		if err != nil {
			t.Errorf("%q: %v", line, err)
			continue
		}
		want.Line = 1
		if diff := cmp.Diff([]idl.Constant{want}, m.Constants); diff != "" || len(m.Fields) != 0 {
			t.Errorf("%q (-want +got):\n%s", line, diff)
		}
	}
}

func TestCommentsFindTheirOwner(t *testing.T) {
	const text = `# What it is,
# in two lines.

# about a
bool a  # and more

# none's

## about b
bool b
bool c # about c
# about D
uint8 D = 1
`
	m, err := idl.ParseMessage("T.msg", "test_msgs", "T", text)
	if err != nil {
		t.Fatal(err)
	}
	got := []string{m.Doc, m.Fields[0].Doc, m.Fields[1].Doc, m.Fields[2].Doc, m.Constants[0].Doc}
	want := []string{"What it is,\nin two lines.", "about a\nand more", "about b", "about c", "about D"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	m, err = idl.ParseMessage("T.msg", "test_msgs", "T", "# of the field\nbool a\n\n# not of the message\n")
	if err != nil || m.Doc != "" || m.Fields[0].Doc != "of the field" {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestParseService(t *testing.T) {
	s, err := idl.ParseService("S.srv", "test_srvs", "S", "# A call.\n\nbool a\n---\n\nuint8 OK = 0\nbool a\nint8 b\n")
	if err != nil {
		t.Fatal(err)
	}
	if s.FullName() != "test_srvs/srv/S" || s.Doc != "A call." {
		t.Errorf("service %q: %q", s.FullName(), s.Doc)
	}
	if s.Request.FullName() != "test_srvs/srv/S_Request" || len(s.Request.Fields) != 1 {
		t.Errorf("request %+v", s.Request)
	}
	if s.Response.FullName() != "test_srvs/srv/S_Response" || len(s.Response.Fields) != 2 || s.Response.Fields[1].Line != 8 {
		t.Errorf("response %+v", s.Response)
	}
}
