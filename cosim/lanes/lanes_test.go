// SPDX-License-Identifier: Apache-2.0

package lanes_test

import (
	"errors"
	"math"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/cosim/lanes"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/robots/xmltree"
)

// cross is a crossing with a traffic light and a way around it, made by netconvert.
func cross(t testing.TB) (string, *lanes.Net) {
	t.Helper()
	text, err := os.ReadFile("../traci/testdata/cross/cross.net.xml")
	if err != nil {
		t.Fatal(err)
	}
	n, err := lanes.Parse("cross.net.xml", text)
	if err != nil {
		t.Fatal(err)
	}
	return string(text), n
}

// What contradicts itself is an error that names file, line and element.
func TestFaultsAreNamed(t *testing.T) {
	text, _ := cross(t)
	for _, c := range []struct{ old, replacement, want string }{
		{`<net version`, `<nets version`, "</net> closes <nets>"},
		{`<location netOffset="0.0000,0.0000" convBoundary="0.0000,0.0000,4.0000,4.0000"`, `<location convBoundary="0,0,4"`, "net.xml:7: <location>: convBoundary"},
		{`convBoundary="0.0000,0.0000,4.0000,4.0000"`, `convBoundary="5,0,4,4"`, "west, south, east, north"},
		{`<edge id="ce" from`, `<edge id="cn" from`, `id "cn" is there twice`},
		{`<edge id="ce" from`, `<edge from`, "<edge>: it has no id"},
		{`<lane id="ce_1" index="1"`, `<lane id="ce_1" index="2"`, "index 2: the lanes of an edge are in their order"},
		{`<lane id="ce_1" index="1"`, `<lane id="ce_1" index="one"`, `index is "one": must be a whole number`},
		{`shape="2.5000,1.7000 3.7000,1.7000"`, `shape="2.5"`, "its shape has 1 points: must be 2 to 1000"},
		{`shape="2.5000,1.7000 3.7000,1.7000"`, `shape="2.5,1.7 2.5,1.7"`, "its shape has no length"},
		{`shape="2.5000,1.7000 3.7000,1.7000"`, `shape="2.5,1.7 2.5,x"`, `"x" is no finite number`},
		{`length="1.2000" width="0.2000" shape="2.5000,1.7000`, `length="-1" width="0.2000" shape="2.5000,1.7000`, "length is -1: must be 0.001 to 1e+06"},
		{`state="rrrrGGGggrrrrGGGgg"`, `state="rrrxGGGggrrrrGGGgg"`, "must be 1 to 1000 of r, R, u"},
		{`state="yyyyrrrrryyyyrrrrr"`, `state="yyyy"`, "a state of 4 signals, and of 18 in the first phase"},
		{`duration="42" state="rrrr`, `duration="0" state="rrrr`, "duration is 0: must be"},
		{`intLanes=":p_0_0"`, `intLanes=":p_9_0"`, `there is no such lane`},
		{`intLanes=":p_0_0"`, `intLanes=""`, "1 requests for 0 links"},
		{`<request index="0" response="0" foes="0" cont="0"/>`, `<request index="0" response="2" foes="0" cont="0"/>`, `"2": must be 1 digits 0 or 1`},
		{`linkIndex="17"`, `linkIndex="18"`, `signal 18 of light "c": there is no such signal`},
		{`via=":e_0_0" dir`, `via=":e_9_0" dir`, `via ":e_9_0": there is no such lane`},
		{`<connection from="cs" to="sc" fromLane="0"`, `<connection from="cs" to="sc" fromLane="3"`, `from lane 3 of edge "cs": there is no such lane`},
	} {
		if !strings.Contains(text, c.old) {
			t.Errorf("%s is not in the file", c.old)
		}
		_, err := lanes.Parse("net.xml", []byte(strings.Replace(text, c.old, c.replacement, 1)))
		if err == nil || !errors.Is(err, lanes.ErrNetwork) && !errors.Is(err, xmltree.ErrSyntax) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "net.xml:") {
			t.Errorf("%s: %v\nwant %s", c.replacement, err, c.want)
		}
	}
	for _, text := range []string{"<net/>", "<robot/>", `<net><location convBoundary="0,0,1,1"/></net>`} {
		if _, err := lanes.Parse("net.xml", []byte(text)); !errors.Is(err, lanes.ErrNetwork) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// The links of a junction know their way through it, and who goes first.
func TestLinksThroughJunctions(t *testing.T) {
	_, n := cross(t)
	left := n.Lane("wc_1").To(n.Edge("cn"))
	across := n.Lane("ec_0").To(n.Edge("cw"))
	if left == nil || across == nil || left.Junction != n.Junction("c") || len(left.Inside()) != 2 || math.Abs(left.Length()-1.1334) > 1e-9 {
		t.Fatalf("left %+v, across %+v", left, across)
	}
	j := left.Junction
	if !j.Foes(left.Request, across.Request) || !j.Yields(left.Request, across.Request) || j.Yields(across.Request, left.Request) {
		t.Error("a left turn lets oncoming vehicles go first")
	}
	if n.Lane("wc_0").To(n.Edge("cn")) != nil {
		t.Error("no left turn begins on the right lane")
	}
	for _, j := range n.Junctions {
		for i, l := range j.Links {
			if l == nil || l.Request != i {
				t.Errorf("link %d of junction %s: %+v", i, j.ID, l)
			}
		}
	}
}

// A position on a lane is the projection of its point, wherever it is, and points next to it are as far to the left.
func TestPositionsAreProjections(t *testing.T) {
	_, n := cross(t)
	rapid.Check(t, func(t *rapid.T) {
		l := rapid.SampledFrom(n.Lanes).Draw(t, "lane")
		pos := rapid.Float64Range(-1, 1).Draw(t, "share") * l.Length
		p, d := l.At(pos)
		if math.Abs(d.Norm()-1) > 1e-9 {
			t.Fatalf("a direction of length %g", d.Norm())
		}
		if q, left := l.Project(p); math.Abs(q-pos) > 1e-6 && pos >= 0 || math.Abs(left) > 1e-6 && pos >= 0 {
			t.Fatalf("%s at %g: position %g, %g to the left", l.ID, pos, q, left)
		}
		if len(l.Shape) > 2 || pos < 0 {
			return
		}
		aside := rapid.Float64Range(-0.3, 0.3).Draw(t, "aside")
		if q, left := l.Project(p.Add(geom.Vec{X: -d.Y, Y: d.X}.Scale(aside))); math.Abs(q-pos) > 1e-6 || math.Abs(left-aside) > 1e-6 {
			t.Fatalf("%s at %g, %g to the left: position %g, %g to the left", l.ID, pos, aside, q, left)
		}
	})
}

// Robots are placed on different spots of lanes that cross no junction, along them.
func TestSpotsAreApart(t *testing.T) {
	_, n := cross(t)
	spots := n.Spots(1000, 0.15)
	if len(spots) < 80 || len(spots) > 130 {
		t.Errorf("%d spots", len(spots))
	}
	for i, a := range spots {
		l, pos, distance := n.Nearest(a.Position(), func(l *lanes.Lane) bool { return !l.Edge.Internal })
		_, d := l.At(pos)
		if distance > 1e-9 || math.Abs(math.Atan2(d.Y, d.X)-a.Theta) > 1e-9 {
			t.Errorf("spot %+v: %g m from lane %s", a, distance, l.ID)
		}
		for _, b := range spots[:i] {
			if a.Position().Sub(b.Position()).Norm() < 0.1499 {
				t.Errorf("%+v and %+v", a, b)
			}
		}
	}
}

// Between some edges there is no route.
func TestNoRoute(t *testing.T) {
	text, _ := cross(t)
	text = strings.Replace(text, `<connection from="pn" to="nc" fromLane="0" toLane="0" via=":n_0_0" dir="l" state="M"/>`, "", 1)
	n, err := lanes.Parse("net.xml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := n.Route(n.Edge("pn"), n.Edge("nc")); !errors.Is(err, lanes.ErrNoRoute) {
		t.Errorf("pn to nc: %v", err)
	}
	if _, _, err := lanes.Measure([]*lanes.Edge{n.Edge("wc"), n.Edge("ep")}); !errors.Is(err, lanes.ErrNoRoute) {
		t.Errorf("wc, ep: %v", err)
	}
}
