// SPDX-License-Identifier: Apache-2.0

package order

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

func drawRun(t *rapid.T) Run {
	name := rapid.StringMatching(`/[a-z_/]{0,8}`)
	r := Run{
		Tag: Tag{time.Duration(rapid.Int64Range(0, 1e15).Draw(t, "time")), rapid.IntRange(0, 1e6).Draw(t, "micro")},
		Source: ros2.CallbackSource{
			Node: ros2.NodeName{Namespace: rapid.SampledFrom([]string{"/", "/a", "/a/b"}).Draw(t, "ns"), Name: "n"},
			Kind: ros2.CallbackKind(rapid.IntRange(0, 3).Draw(t, "kind")),
			Name: rapid.String().Draw(t, "name"),
		},
		Process: rapid.SampledFrom([]string{"", "brain", "B_2"}).Draw(t, "process"),
		Outside: rapid.Bool().Draw(t, "outside"),
		Got:     rapid.SampledFrom([]uint64{0, 1, 0xffffffffffffffff}).Draw(t, "got"),
	}
	for range rapid.IntRange(0, 3).Draw(t, "sent") {
		r.Sent = append(r.Sent, Sent{name.Draw(t, "topic"), rapid.Uint64().Draw(t, "sum")})
	}
	return r
}

func TestRunsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRun(t)
		got, err := ParseRun(r.String())
		if err != nil || !got.same(&r) || got.String() != r.String() {
			t.Fatalf("%q is read as %q: %v", r.String(), got.String(), err)
		}
	})
}

const line = `3.200000000+1 /ns/b subscription "/scan" outside > /cmd_vel 00c3a1b2d4e5f607`

func TestBrokenRecords(t *testing.T) {
	if r, err := ParseRun(line); err != nil || r.Source.Node.FullName() != "/ns/b" || r.Sent[0].Sum != 0x00c3a1b2d4e5f607 {
		t.Fatalf("%+v: %v", r, err)
	}
	for _, bad := range []string{
		"", "x", line[:10], line[:30], line + " ", line + " > /x", strings.Replace(line, "+1", "+x", 1), strings.Replace(line, "3.2", "3,2", 1),
		strings.Replace(line, "subscription", "other", 1), strings.Replace(line, "/ns/b", "b", 1), strings.Replace(line, "00c3", "gggg", 1),
		strings.Replace(line, " outside", " inside", 1), strings.Replace(line, `/scan"`, `/scan`, 1), strings.Replace(line, `"/scan"`, `"\z"`, 1),
		strings.Replace(line, "00c3", "00C3", 1), strings.Replace(line, "3.2", "-3.2", 1),
	} {
		if r, err := ParseRun(bad); !errors.Is(err, ErrRecord) {
			t.Errorf("%q is read as %+v: %v", bad, r, err)
		}
		if _, err := ReadRecord(strings.NewReader(line + "\n" + bad + "\n")); !errors.Is(err, ErrRecord) || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if _, err := ReadRecord(strings.NewReader(strings.Repeat("x", 2<<20))); !errors.Is(err, ErrRecord) {
		t.Errorf("a line without end: %v", err)
	}
	if all, err := ReadRecord(strings.NewReader(line + "\n" + line + "\n")); err != nil || len(all) != 2 {
		t.Errorf("%d runs: %v", len(all), err)
	}
}

func FuzzParseRun(f *testing.F) {
	f.Add(line)
	f.Add(`0.000000000+0 /a timer "x y" > /t 0000000000000000 > /u ffffffffffffffff`)
	f.Fuzz(func(t *testing.T, s string) {
		if r, err := ParseRun(s); err == nil && r.String() != s {
			t.Errorf("%q is written as %q", s, r.String())
		}
	})
}

// runs reads the lines of a record.
func runs(t *testing.T, lines ...string) []Run {
	t.Helper()
	all, err := ReadRecord(strings.NewReader(strings.Join(lines, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestDifferences(t *testing.T) {
	const (
		a    = `3.200000000+1 /a subscription "/scan"`
		b    = `3.200000000+1 /b subscription "/scan"`
		late = `3.300000000+0 /a subscription "/scan"`
		tick = `3.200000000+1 /a timer "tick"`
		sent = a + " > /x 0000000000000001"
	)
	for _, c := range []struct {
		run1, run2 []string
		want       string
	}{
		{[]string{a, b}, []string{a, b}, ""},
		{nil, nil, ""},
		{[]string{a, b}, []string{b, a}, `run 2 diverges from run 1 at t = 3.200 s: node /b ran before /a (/b subscription "/scan", not /a subscription "/scan")`},
		{[]string{a}, []string{tick}, `run 2 diverges from run 1 at t = 3.200 s: /a timer "tick" ran before /a subscription "/scan"`},
		{[]string{a}, []string{late}, `run 2 diverges from run 1 at t = 3.200 s: /a subscription "/scan" ran at 3.300000000+0, not at 3.200000000+1`},
		{[]string{a}, []string{a, b}, `run 2 diverges from run 1 at t = 3.200 s: it continues with /b subscription "/scan" where run 1 ends`},
		{[]string{a, b}, []string{a}, `run 2 diverges from run 1 at t = 3.200 s: it ends before /b subscription "/scan"`},
		{[]string{a}, []string{a + " outside"}, `run 2 diverges from run 1 at t = 3.200 s: the cause of /a subscription "/scan" has another origin`},
		{[]string{a}, []string{sent}, `run 2 diverges from run 1 at t = 3.200 s: /a subscription "/scan" sent something else: 1 messages, not 0`},
		{[]string{sent}, []string{a + " > /x 0000000000000002"}, `run 2 diverges from run 1 at t = 3.200 s: /a subscription "/scan" sent something else: another message on /x`},
		{[]string{sent}, []string{a + " > /y 0000000000000001"}, `run 2 diverges from run 1 at t = 3.200 s: /a subscription "/scan" sent something else: /y before /x`},
	} {
		if got := Difference(runs(t, c.run1...), runs(t, c.run2...)); got != c.want {
			t.Errorf("%q and %q:\n%s, want\n%s", c.run1, c.run2, got, c.want)
		}
	}
}

// A replay runs events from outside at their recorded positions, whatever order they arrive in.
func TestReplay(t *testing.T) {
	record := runs(t, `0.000000000+1 /n subscription "/b" outside`, `0.000000000+1 /n subscription "/a" outside`, `1.000000000+0 /n timer "tick"`)
	c := New(Config{Replay: record})
	defer c.Close()
	g := c.NewGroup()
	node := ros2.NodeName{Namespace: "/", Name: "n"}
	var ran []string
	post := map[string]func(){}
	for _, name := range []string{"/a", "/b"} {
		p, err := g.Join(ros2.CallbackSource{Node: node, Kind: ros2.SubscriptionCallback, Name: name})
		if err != nil {
			t.Fatal(err)
		}
		post[name] = func() { p.Post(func() { ran = append(ran, name) }) }
	}
	if _, err := g.Every(ros2.CallbackSource{Node: node, Name: "tick"}, time.Second, func(time.Time) { ran = append(ran, "tick") }); err != nil {
		t.Fatal(err)
	}
	post["/a"]()
	post["/b"]()
	if err := c.Advance(time.Time{}.Add(2 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(ran, " "); got != "/b /a tick tick" { // the second one runs after the record
		t.Errorf("ran %s", got)
	}
}

// A replay ends at the first difference from the record, and describes it.
func TestReplayThatDiverges(t *testing.T) {
	for _, c := range []struct{ record, want string }{
		{`0.000000000+1 /n subscription "/a" outside`, `no event arrived for /n subscription "/a" in 5s`},
		{`1.000000000+0 /n timer "other"`, `/n timer "other" is not due`},
		{`0.500000000+0 /n timer "tick"`, `/n timer "tick" is not due`},
		{`1.000000000+0 /n timer "tick" > /x 0000000000000000`, `sent something else`},
	} {
		synctest.Test(t, func(t *testing.T) {
			k := New(Config{Replay: runs(t, c.record)})
			defer k.Close()
			_, err := k.NewGroup().Every(ros2.CallbackSource{Node: ros2.NodeName{Namespace: "/", Name: "n"}, Name: "tick"}, time.Second, func(time.Time) {})
			if err != nil {
				t.Fatal(err)
			}
			for range 2 { // and stays so
				err := k.Advance(time.Time{}.Add(time.Second))
				if !errors.Is(err, ErrDiverged) || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%s: %v, want %s", c.record, err, c.want)
				}
			}
		})
	}
}

func TestAgendaProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a eventQueue
		var model []*event
		next := func() *event {
			var least *event
			for _, e := range model {
				if least == nil || e.compare(least) < 0 {
					least = e
				}
			}
			return least
		}
		forget := func(gone *event) {
			for i, e := range model {
				if e == gone {
					model = append(model[:i:i], model[i+1:]...)
				}
			}
		}
		for i := range rapid.IntRange(0, 60).Draw(t, "steps") {
			switch rapid.SampledFrom([]string{"push", "push", "pop", "first"}).Draw(t, "what") {
			case "push":
				e := &event{tag: Tag{time.Duration(rapid.IntRange(0, 3).Draw(t, "time")), rapid.IntRange(0, 2).Draw(t, "micro")},
					source: &source{number: rapid.IntRange(0, 3).Draw(t, "source")}, sequence: uint64(i)}
				a.push(e)
				model = append(model, e)
			case "pop":
				if want := next(); want != nil {
					if got := a.pop(); got != want {
						t.Fatalf("popped %+v, want %+v", got, want)
					}
					forget(want)
				}
			case "first":
				want := next()
				if got := a.first(func(*event) bool { return true }); got != want {
					t.Fatalf("first %+v, want %+v", got, want)
				}
				forget(want)
			}
			if len(a) != len(model) {
				t.Fatalf("%d events, want %d", len(a), len(model))
			}
		}
	})
}

// Events from outside run in order of arrival, also when a replay pauses in between.
func TestReplayKeepsTheMicrostep(t *testing.T) {
	var post func(text string)
	c := New(Config{
		Replay: runs(t, `0.000000000+1 /n subscription "/a" outside`, `1.000000000+1 /n subscription "/a" outside`, `1.000000000+2 /n subscription "/a" outside`),
		Record: func(r Run) {
			if r.Tag.Time == 0 {
				post("second") // behind microstep 1
			}
		},
	})
	defer c.Close()
	p, err := c.NewGroup().Join(ros2.CallbackSource{Node: ros2.NodeName{Namespace: "/", Name: "n"}, Kind: ros2.SubscriptionCallback, Name: "/a"})
	if err != nil {
		t.Fatal(err)
	}
	var ran []string
	post = func(text string) { p.Post(func() { ran = append(ran, text) }) }
	post("first")
	for i := range 2 {
		if err := c.Advance(time.Time{}.Add(time.Duration(i) * time.Second)); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			post("third")
		}
	}
	if got := strings.Join(ran, " "); got != "first second third" {
		t.Errorf("ran %s", got)
	}
}
