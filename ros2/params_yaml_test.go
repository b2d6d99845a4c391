// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// read returns the overrides of a file as "node name=value:type" lines.
func read(t *testing.T, yaml string) []string {
	t.Helper()
	overrides, err := parseParams([]byte(yaml), "f.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, o := range overrides {
		v := o.raw.value()
		out = append(out, fmt.Sprintf("%s %s=%v:%v", o.node, o.name, v, v.Type()))
	}
	return out
}

func TestParamsYAML(t *testing.T) {
	for name, c := range map[string]struct {
		yaml string
		want []string
	}{
		"empty":    {"", nil},
		"comments": {"# nothing\n", nil},
		"no nodes": {"n:\nm: {ros__parameters: }", nil},
		"types": {`
n:
  ros__parameters:
    b: true
    y: yes
    i: 42
    hex: 0x10
    d: 20.0
    e: 1e3
    inf: .inf
    s: hello world
    q: "20"
    t: !!str 7
    l: |
      text
    bs: [true, off]
    is: [1, -2]
    ds: [1, 2.5]
    ss: [a, "1", 2]
    none: []
    under: 1_000
    v: 1.2.3
`, []string{
			"/n b=true:boolean", "/n y=true:boolean", "/n i=42:integer", "/n hex=16:integer", "/n d=20.0:double",
			"/n e=1000.0:double", "/n inf=.inf:double", `/n s="hello world":string`, `/n q="20":string`,
			`/n t="7":string`, `/n l="text\n":string`, "/n bs=[true, false]:boolean array", "/n is=[1, -2]:integer array",
			"/n ds=[1.0, 2.5]:double array", `/n ss=["a", "1", "2"]:string array`, "/n none=[]:string array",
			`/n under="1_000":string`, `/n v="1.2.3":string`,
		}},
		"nesting": {`
robot1:
  driver:
    ros__parameters:
      camera: {width: 640, lens: {f: 2.0}}
      camera.height: 480
/a/b: {ros__parameters: {x: 1}}
/c/:
  /d: {ros__parameters: {x: 2}}
`, []string{
			"/robot1/driver camera.width=640:integer", "/robot1/driver camera.lens.f=2.0:double",
			"/robot1/driver camera.height=480:integer", "/a/b x=1:integer", "/c/d x=2:integer",
		}},
		"wildcards": {"/**: {ros__parameters: {x: 1}}\n'*': {ros__parameters: {x: 2}}\n/r/*: {n: {ros__parameters: {x: 3}}}",
			[]string{"/** x=1:integer", "/* x=2:integer", "/r/*/n x=3:integer"}},
		"documents": {"a: {ros__parameters: {x: 1}}\n---\nb: {ros__parameters: {x: 2}}", []string{"/a x=1:integer", "/b x=2:integer"}},
	} {
		if diff := cmp.Diff(c.want, read(t, c.yaml)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestParamsYAMLErrors(t *testing.T) {
	for yaml, want := range map[string]string{
		strings.Repeat("#\n", 40000) + "a: [": "f.yaml:4000",
		"a: [":                                "f.yaml:1:4: did not find",
		"a:\n  ros__parameters:\n    v: \"1\n      2\n\n      3\"\n    w: 1\n    x: 1\n    y: \"2\n": "f.yaml:9:8: found unexpected end",
		"a:\n  ros__parameters:\n    x: 1\n   y: 2\n":                                                "f.yaml:4:4: did not find expected key",
		"a:\n  ros__paramters: {x: 1}":                                                               `f.yaml:2:3: "ros__paramters"; did you mean 'ros__parameters'?`,
		"a":                                                                                          "f.yaml:1:1: want a mapping",
		"\n[1]":                                                                                      "f.yaml:2:1: want a mapping",
		"ros__parameters: {x: 1}":                                                                    "f.yaml:1:1: ros__parameters has no node name",
		"a:\n  x: 1":                                                                                 `f.yaml:2:3: "x" has a value, but is not below ros__parameters`,
		"a-b: {ros__parameters: {x: 1}}":                                                             "f.yaml:1:7: invalid node name pattern",
		"a**: {ros__parameters: {x: 1}}":                                                             "f.yaml:1:7: invalid node name pattern",
		"a:\n ros__parameters:\n  x:":                                                                `f.yaml:3:5: parameter "x": the value is empty`,
		"a: {ros__parameters: {x: [1, [2]]}}":                                                        "element 1: want a scalar",
		"a: {ros__parameters: {'x y': 1}}":                                                           "character 2",
		"a: &l {ros__parameters: {x: 1}}\nb: *l":                                                     "f.yaml:2:4: want a mapping",
		"a: {ros__parameters: {x: &v 1, y: *v}}":                                                     "want a scalar or a list",
		"? [k]\n: 1":                                                                                 "want a name",
		nested(40):                                                                                   "nested more than 32 deep",
		"a: {ros__parameters: " + nested(40) + "}":                                                   "nested more than 32 deep",
	} {
		got, err := parseParams([]byte(yaml), "f.yaml")
		if !errors.Is(err, ErrParamsFile) || !strings.Contains(err.Error(), want) || got != nil {
			t.Errorf("%q: %v, %v; want %q", yaml, got, err, want)
		}
	}
}

func nested(n int) string { return strings.Repeat("{a: ", n) + "1" + strings.Repeat("}", n) }

func TestMatchNode(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"/n", "/n", true}, {"/n", "/m", false}, {"/n", "/a/n", false}, {"/a/n", "/a/n", true},
		{"/**", "/n", true}, {"/**", "/a/b/n", true}, {"/*", "/n", true}, {"/*", "/a/n", false},
		{"/a/*", "/a/n", true}, {"/a/*", "/a/b/n", false}, {"/a/**", "/a/b/n", true}, {"/a/**", "/a", true},
		{"/**/n", "/n", true}, {"/**/n", "/a/b/n", true}, {"/**/n", "/a/n/m", false}, {"/*/n", "/n", false},
		{"/**/b/**/n", "/a/b/c/b/d/n", true}, {"/**/b/n", "/b/b/b/n", true}, {"/**/**", "/x", true},
	} {
		if got := matchNode(c.pattern, c.name); got != c.want {
			t.Errorf("%s matches %s: %v", c.pattern, c.name, got)
		}
	}
	// Many wildcards must not take exponential time.
	matchNode(strings.Repeat("/**/a", 200), strings.Repeat("/a", 2000)+"/b")
}

func FuzzParamsYAML(f *testing.F) {
	for _, seed := range []string{
		"a: {ros__parameters: {x: [1, 2.5, .nan], y: 'z'}}", "/**:\n  ros__parameters:\n    a.b: !!str 1\n",
		"a: &x {b: *x}", "---\n---\n", "? a\n: {ros__parameters: {? b : c}}", "a: {ros__parameters: {x: " + nested(5) + "}}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		overrides, err := parseParams(data, "f")
		if err != nil && !errors.Is(err, ErrParamsFile) {
			t.Fatalf("%v is no ErrParamsFile", err)
		}
		for _, o := range overrides {
			if validateNodePattern(o.node) != nil || validateParameterName(o.name) != nil {
				t.Fatalf("accepted %q of %q", o.name, o.node)
			}
			if v := o.raw.value(); v.Type() == ParameterNotSet {
				t.Fatalf("%q has no value", o.name)
			}
		}
	})
}
