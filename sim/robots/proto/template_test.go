// SPDX-License-Identifier: Apache-2.0

package proto_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/robots/proto"
)

// Template code is not run. What it could change is an error; the rest is listed.
func TestTemplateCode(t *testing.T) {
	for _, c := range []struct {
		code string
		want string // in the error; empty: it is a remark
	}{
		{"%< const a = 1; >%", ""},
		{"%<\nconst a = fields.x.value;\nif (a > 2) { throw new Error('}'); }\n>%", ""},
		{"%< const s = \"} {\" + '\\'}' + `{`; // }\n >%", ""},
		{"%< /* { */ const list = [1, (2)]; >%", ""},
		{"%< const half = a / 2; >%", ""},
		{"# a comment %< const a = 1; >% continues { }", ""},
		{"%<>%", ""},
		{"%<= fields.x.value >%", "it:3: it puts in a value"},
		{"%< if (a) { >%", "it:3: it chooses or repeats"},
		{"\n%< if (a) { >%", "it:4: it chooses or repeats"},
		{"%< } >%", "it:3: it ends what was begun"},
		{"%< } else { >%", "it:3: it ends what was begun"},
		{"%< if (a) >%", "it:3: it chooses or repeats"},
		{"%< if (a) ; else >%", "it:3: it chooses or repeats"},
		{"%< for (let i = 0; i < 3; ++i) >%", "it:3: it chooses or repeats"},
		{"%< const a = [ >%", "it:3: it chooses or repeats"},
		{"%< if (b) { c = 1; // } \n >%", "it:3: it chooses or repeats"},
		{"%< if (/}/.test(x)) { >%", "it:3: it has a regular expression"},
		{"# a comment %< if (a) { >% continues", "it:3: it chooses or repeats"},
		{"%{ local a = 1 }%", "it:3: it is Lua"},
		{"%< const a", "it:3: template code without its >%"},
	} {
		text := header + "Robot { name \"a\"\n" + c.code + "\ncustomData \"b\" }"
		r, err := proto.Parse("it", []byte(text))
		switch {
		case c.want != "":
			kind := proto.ErrTemplate
			if strings.Contains(c.want, "without its") {
				kind = proto.ErrSyntax
			}
			if !errors.Is(err, kind) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%q: %v, not %s", c.code, err, c.want)
			}
		case err != nil:
			t.Errorf("%q: %v", c.code, err)
		case !strings.HasPrefix(remarks(r), "3 template code: it is not run\n"):
			t.Errorf("%q: %s", c.code, remarks(r))
		default: // lines continue after it
			want := itoa(4+strings.Count(c.code, "\n")) + " Robot.customData: it has no meaning here\n"
			if !strings.HasSuffix(remarks(r), want) {
				t.Errorf("%q: %s, not %s", c.code, remarks(r), want)
			}
		}
	}
}

func TestTemplateCodeInAString(t *testing.T) {
	for _, code := range []string{"%<= a >%", "%< const a = 1; >%", "%{= a }%"} {
		_, err := proto.Parse("it", []byte(header+"Robot {\nname \"a"+code+"\" }"))
		if !errors.Is(err, proto.ErrTemplate) || !strings.Contains(err.Error(), "it:3: in a string") {
			t.Errorf("%s: %v", code, err)
		}
	}
	r, err := proto.Parse("it", []byte(header+`Robot { name "100 % \"of\" \\ # it, \n" }`))
	if err != nil || r.Name != `100 % "of" \ # it, \n` {
		t.Errorf("%q %v", r.Name, err)
	}
}
