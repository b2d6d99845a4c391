// SPDX-License-Identifier: Apache-2.0

package proto_test

import (
	"os"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/sim/robots/proto"
)

// Texts that say the same.
func TestWaysToWriteTheSame(t *testing.T) {
	want := written(t, parsed(t, header+`Robot { name "r" battery [ 1 2 3 ] children [ Pose { translation 1 -2 0.5 children [ Solid { name "s" } ] } ] }`))
	for name, text := range map[string]string{
		"one line":      `Robot{name"r"battery[1,2,3]children[Pose{translation 1,-2,.5 children[Solid{name"s"}]}]}`,
		"without lists": `Robot { name "r" battery 1 2 3 children Pose { translation 1 -2 0.5 children Solid { name "s" } } }`,
		"numbers":       `Robot { name "r" battery [ 1.0 +2 3e0 ] children [ Pose { translation 10e-1 -2. +.5 children [ Solid { name "s" } ] } ] }`,
		"comments":      "Robot { # a } comment\nname # \"x\"\n\"r\"\tbattery [ 1 # 7\n 2 3 ] children [ Pose { translation 1 -2 0.5 children [ Solid { name \"s\" } ] } ] } # the end",
		"carriage":      "Robot {\r\nname \"r\"\r\nbattery [ 1 2 3 ]\r\nchildren [ Pose { translation 1 -2 0.5 children [ Solid { name \"s\" } ] } ] }\r\n",
		"names":         `DEF A Robot { name "r" battery [ 1 2 3 ] children [ DEF B Pose { translation 1 -2 0.5 children [ DEF B Solid { name "s" } ] } ] }`,
		"a PROTO":       `PROTO P-1 [ ] { Robot { name "r" battery [ 1 2 3 ] children [ Pose { translation 1 -2 0.5 children [ Solid { name "s" } ] } ] } }`,
		"parameters": `PROTO P [ field SFString{"r", "s"} n "r" vrmlField MFFloat b [ 1 2 3 ] hiddenField SFVec3f t 1 -2 0.5
			unconnectedField SFNode { Solid { }, Pose { } } s Solid { name "s" } deprecatedField MFNode c [ ] ]
			{ Robot { name IS n battery IS b children [ Pose { translation IS t children IS s } Group { children IS c } ] } }`,
		"a parameter that is all": `PROTO P [ field MFNode all [ Pose { translation 1 -2 0.5 children [ Solid { name "s" } ] } ] ]
			{ Robot { name "r" battery [ 1 2 3 ] children IS all } }`,
		"groups": `Robot { name "r" battery [ 1 2 3 ] children [ Group { children [ Pose { translation 1 0 0 children [ Group { } Pose { translation 0 -2 0.5
			children [ Solid { name "s" } ] } ] } ] } Group { } ] }`,
		"a slot":      `Robot { name "r" battery [ 1 2 3 ] children [ Slot { endPoint Slot { endPoint Solid { translation 1 -2 0.5 name "s" } } } ] }`,
		"its own":     `Robot { name "r" battery [ 1 2 3 ] children [ Solid { translation 1 -2 0.5 name "s" } ] }`,
		"outside":     `WorldInfo { } Robot { name "r" battery [ 1 2 3 ] children [ Pose { translation 1 -2 0.5 children [ Solid { name "s" } ] } ] } DEF X Solid { }`,
		"other words": `Robot { controller "<none>" supervisor TRUE name "r" battery [ 1 2 3 ] children [ Pose { translation 1 -2 0.5 children [ Solid { name "s" } ] } ] }`,
	} {
		got := parsed(t, header+text)
		for i := range got.Devices { // the battery's
			got.Devices[i].Line = 2
		}
		if got := written(t, got); got != want {
			t.Errorf("%s:\n%s\n%s", name, got, want)
		}
	}
}

// USE is a copy: what it repeats is there again, with a name of its own where names have to differ.
func TestUseIsACopy(t *testing.T) {
	r := robot(t, `DEF S Solid { name "s" translation 1 0 0 children [ DEF G GPS { name "g" } ] }`,
		`Pose { translation 0 1 0 children [ USE S USE G ] }`, `DEF S Solid { name "t" }`, `USE S`)
	var links, devices []string
	for _, l := range r.Links {
		links = append(links, l.Name)
	}
	for _, d := range r.Devices {
		devices = append(devices, d.Name+" on "+d.Link)
	}
	if got := strings.Join(links, ", "); got != "base_link, s, s_2, t, t_2" {
		t.Error(got)
	}
	if got := strings.Join(devices, ", "); got != "g on s, g on s_2, g on base_link" {
		t.Error(got)
	}
	want := "3 a second link \"s\": it is \"s_2\" here\n5 a second link \"t\": it is \"t_2\" here\n"
	if got := remarks(r); got != want {
		t.Errorf("%s", got)
	}
	poses, err := r.Transforms(nil)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "s_2", poses["s_2"], shift(1, 1, 0))
}

// Names that the numbers of other names would hit.
func TestNamesAreOfOneLinkEach(t *testing.T) {
	r := robot(t, `Solid { name "a_2" }`, `Solid { name "a" }`, `Solid { name "a" }`, `Solid { name "" }`, `Solid { name "" }`, `Solid { name "base_link" }`,
		`Solid { }`, `Solid { }`)
	var links []string
	for _, l := range r.Links {
		links = append(links, l.Name)
	}
	if got := strings.Join(links, ", "); got != "base_link, a_2, a, a_3, unnamed, unnamed_2, base_link_2, solid, solid_2" {
		t.Error(got)
	}
}

// A file that ends too early is an error with a line, wherever it ends, and a byte that is another does no harm.
func TestFilesThatAreCutOrSpoilt(t *testing.T) {
	cut, spoil := 41, 97 // bytes from one to the next
	if suite.Long {
		cut, spoil = 7, 5
	}
	for _, name := range []string{"pucklike.proto", "khepelike.wbt"} {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		whole := strings.TrimSpace(string(text))
		for end := 0; end < len(whole); end += cut {
			if _, err := proto.Parse("it", []byte(whole[:end])); err == nil || !strings.Contains(err.Error(), "it:") {
				t.Errorf("%s, cut after %d bytes: %v", name, end, err)
			}
		}
		for at := 0; at < len(whole); at += spoil {
			for _, c := range []byte("}\"[0%#") {
				spoilt := []byte(whole)
				spoilt[at] = c
				if r, err := proto.Parse("it", spoilt); err == nil && r.Check() != nil || err != nil && !strings.Contains(err.Error(), "it:") {
					t.Errorf("%s with %q at %d: %v", name, c, at, err)
				}
			}
		}
	}
}
