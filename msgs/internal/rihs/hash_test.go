// SPDX-License-Identifier: Apache-2.0

package rihs_test

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/internal/gen"
	"github.com/epuck-ros2/epuck-driver/msgs/internal/idl"
	"github.com/epuck-ros2/epuck-driver/msgs/internal/rihs"
)

// noTypes is a Lookup without types.
func noTypes(string) *idl.Message { return nil }

// message parses a definition of test_msgs/msg/name.
func message(t *testing.T, name, text string) *idl.Message {
	t.Helper()
	m, err := idl.ParseMessage(name, "test_msgs", name, text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// hashes returns the RIHS01 hashes of a ROS 2 Jazzy build, by type, and those that other programs computed for rosbag2
// and simulation_interfaces.
func hashes(t *testing.T) map[string]string {
	t.Helper()
	h := map[string]string{}
	for _, name := range []string{"type_hashes_jazzy.json", "type_hashes_rosbag2.json", "type_hashes_simulation.json"} {
		read(t, name, h)
	}
	return h
}

// read adds the hashes of a file.
func read(t *testing.T, name string, h map[string]string) {
	t.Helper()
	text, err := os.ReadFile("../../testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &h); err != nil {
		t.Fatal(err)
	}
}

// The four types of a service: the service, its request, response and event.
func TestServices(t *testing.T) {
	want := hashes(t)
	packages, err := gen.Load(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	var here *gen.Package
	find := func(name string) (found *idl.Message) {
		for _, p := range packages {
			for _, m := range p.Messages {
				if m.FullName() == name && (p == here || !p.Variant && found == nil) {
					found = m
				}
			}
		}
		return found
	}
	services := 0
	for _, p := range packages {
		here = p
		want := maps.Clone(want)
		if p.Name() == "rolling" {
			read(t, "type_hashes_simulation2.json", want)
		}
		for _, s := range p.Services {
			services++
			got := map[string]string{}
			var errs [3]error
			got[s.FullName()], got[s.FullName()+"_Event"], errs[0] = rihs.OfService(s, find)
			got[s.Request.FullName()], errs[1] = rihs.OfMessage(&s.Request, find)
			got[s.Response.FullName()], errs[2] = rihs.OfMessage(&s.Response, find)
			if err := errors.Join(errs[:]...); err != nil {
				t.Fatal(err)
			}
			for name, h := range got {
				if want[name] != h {
					t.Errorf("%s: %s, want %q", name, h, want[name])
				}
			}
		}
	}
	if services == 0 {
		t.Error("no services")
	}
}

// The types of an action: the action, its parts, and the types derived from them.
func TestActions(t *testing.T) {
	want := hashes(t)
	packages, err := gen.Load(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]*idl.Message{}
	var actions []*idl.Action
	for _, p := range packages {
		for _, m := range p.Messages {
			if !p.Variant {
				found[m.FullName()] = m
			}
		}
		for _, a := range p.Actions {
			actions = append(actions, a)
			for _, m := range []*idl.Message{&a.Goal, &a.Result, &a.Feedback} {
				found[m.FullName()] = m
			}
		}
	}
	find := func(name string) *idl.Message { return found[name] }
	i := slices.IndexFunc(actions, func(a *idl.Action) bool { return a.Name == "Fibonacci" })
	if i < 0 {
		t.Fatal("no Fibonacci")
	}
	a := actions[i]
	got := map[string]string{}
	note := func(name, hash string, err error) {
		if err != nil {
			t.Error(name, err)
		}
		got[name] = hash
	}
	whole, err := rihs.OfAction(a, find)
	note(a.FullName(), whole, err)
	for _, s := range []*idl.Service{a.SendGoal(), a.GetResult()} {
		service, event, err := rihs.OfService(s, find)
		note(s.FullName(), service, err)
		note(s.FullName()+"_Event", event, err)
	}
	for _, m := range []*idl.Message{&a.Goal, &a.Result, &a.Feedback, a.FeedbackMessage(), &a.SendGoal().Request,
		&a.SendGoal().Response, &a.GetResult().Request, &a.GetResult().Response} {
		hash, err := rihs.OfMessage(m, find)
		note(m.FullName(), hash, err)
	}
	for name, hash := range want {
		if strings.HasPrefix(name, "example_interfaces/action/Fibonacci") && got[name] != hash {
			t.Errorf("%s: %s, want %s", name, got[name], hash)
		}
	}
	if len(got) != 13 {
		t.Errorf("%d hashes", len(got))
	}
	if _, err := rihs.OfAction(a, noTypes); !errors.Is(err, rihs.ErrUnknownType) {
		t.Error(err)
	}
}

// REP 2011 excludes some properties from the hash and includes others.
func TestWhatCounts(t *testing.T) {
	hash := func(name, text string) string {
		h, err := rihs.OfMessage(message(t, name, text), noTypes)
		if err != nil || !strings.HasPrefix(h, "RIHS01_") || len(h) != len("RIHS01_")+64 {
			t.Fatalf("%q: %q, %v", text, h, err)
		}
		return h
	}
	base := hash("T", "int8 a\nstring b")
	for _, same := range []string{"# doc\n\nint8 a # c\nstring b", "int8 a 5\nstring b \"x\"", "int8 C = 1\nint8 a\nstring b"} {
		if hash("T", same) != base {
			t.Errorf("%q hashes differently", same)
		}
	}
	for _, other := range []string{"string b\nint8 a", "uint8 a\nstring b", "int8 x\nstring b", "int8[] a\nstring b",
		"int8[2] a\nstring b", "int8[<=2] a\nstring b", "int8 a\nstring<=3 b", "int8 a"} {
		if hash("T", other) == base {
			t.Errorf("%q hashes the same", other)
		}
	}
	if hash("U", "int8 a\nstring b") == base {
		t.Error("the name does not count")
	}
	if hash("T", "byte a") == hash("T", "uint8 a") || hash("T", "char a") != hash("T", "uint8 a") {
		t.Error("byte is a type of its own, char is uint8")
	}
}

func TestUnknownTypes(t *testing.T) {
	_, err := rihs.OfMessage(message(t, "T", "Nothing a"), noTypes)
	if !errors.Is(err, rihs.ErrUnknownType) || !strings.Contains(err.Error(), "test_msgs/msg/Nothing (field test_msgs/msg/T.a)") {
		t.Errorf("message: %v", err)
	}
	s, err := idl.ParseService("S", "test_srvs", "S", "---")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := rihs.OfService(s, noTypes); !errors.Is(err, rihs.ErrUnknownType) {
		t.Errorf("service without service_msgs: %v", err)
	}
}

// Hashing a message that contains itself, which no ROS build accepts, terminates.
func TestRecursiveTypeEnds(t *testing.T) {
	m := message(t, "T", "T[] children")
	if _, err := rihs.OfMessage(m, func(string) *idl.Message { return m }); err != nil {
		t.Error(err)
	}
}
