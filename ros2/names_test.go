// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// ok is the expected position of a valid name.
const ok = -1

func checkName(t *testing.T, validate func(string) error, cases map[string]int) {
	t.Helper()
	for name, want := range cases {
		err := validate(name)
		var bad *ros2.NameError
		switch {
		case want == ok:
			if err != nil {
				t.Errorf("%q: %v", name, err)
			}
		case !errors.As(err, &bad) || !errors.Is(err, ros2.ErrInvalidName):
			t.Errorf("%q: %v, want a NameError", name, err)
		case bad.Pos != want || bad.Name != name:
			t.Errorf("%q: %v, want position %d", name, err, want)
		}
	}
}

func TestValidateNodeName(t *testing.T) {
	checkName(t, ros2.ValidateNodeName, map[string]int{
		"driver": ok, "_x9": ok, "A": ok, strings.Repeat("n", 255): ok,
		"": 0, "9a": 0, "a/b": 1, "my-node": 2, "é": 0, "a b": 1,
		strings.Repeat("n", 256): 255,
	})
}

func TestValidateNamespace(t *testing.T) {
	checkName(t, ros2.ValidateNamespace, map[string]int{
		"/": ok, "/a": ok, "/a/b_2": ok, "/" + strings.Repeat("n", 244): ok,
		"": 0, "a": 0, "/a/": 2, "//a": 1, "/2a": 1, "/a.b": 2,
		"/" + strings.Repeat("n", 245): 245,
	})
}

func TestValidateFullName(t *testing.T) {
	checkName(t, ros2.ValidateFullName, map[string]int{
		"/tf": ok, "/robot1/odom": ok, "/_/__x": ok, "/" + strings.Repeat("n", 246): ok,
		"": 0, "/": 0, "odom": 0, "/a//b": 3, "/a/2b": 3, "/a~": 2, "/{node}": 1, "/a/": 2,
		"/" + strings.Repeat("n", 247): 247,
	})
}

func TestValidateName(t *testing.T) {
	checkName(t, ros2.ValidateName, map[string]int{
		"odom": ok, "/odom": ok, "~": ok, "~/reset": ok, "a/b": ok, "{node}/x": ok, "a_{ns}_b": ok,
		"": 0, "/": 0, "a/": 1, "~x": 1, "a~": 1, "a//b": 2, "/9": 1, "a/9": 2, "a b": 1,
		"{": 0, "{}": 0, "a}": 1, "{9}": 0, "{a-b}": 0, "a{n": 1, "~//a": 2,
	})
}

func TestExpandName(t *testing.T) {
	node := ros2.NodeName{Namespace: "/robot1", Name: "driver"}
	root := ros2.NodeName{Namespace: "/", Name: "driver"}
	for _, c := range []struct {
		node       ros2.NodeName
		name, want string
	}{
		{node, "odom", "/robot1/odom"},
		{root, "odom", "/odom"},
		{node, "/tf", "/tf"},
		{node, "~", "/robot1/driver"},
		{node, "~/reset", "/robot1/driver/reset"},
		{root, "~/reset", "/driver/reset"},
		{node, "{node}/x", "/robot1/driver/x"},
		{node, "/other/{node}", "/other/driver"},
		{node, "{ns}/x", "/robot1/x"},
		{node, "/a{namespace}/x", "/a/robot1/x"},
		{node, "~/{node}", "/robot1/driver/driver"},
	} {
		if got, err := ros2.ExpandName(c.name, c.node); got != c.want || err != nil {
			t.Errorf("%q in %s: %q, %v; want %q", c.name, c.node.FullName(), got, err, c.want)
		}
	}
	for _, name := range []string{"", "{robot}/x", "a{ns}b/", strings.Repeat("n", 240), "{ns}//x", "/{ns}"} {
		if got, err := ros2.ExpandName(name, node); !errors.Is(err, ros2.ErrInvalidName) {
			t.Errorf("%q: %q, %v; want an invalid name", name, got, err)
		}
	}
}

// Every name that expands, expands to a valid full name, which expands to itself.
func TestExpandNameProperty(t *testing.T) {
	alphabet := rapid.StringOfN(rapid.RuneFrom([]rune("ab1_/~{}nodes")), 0, 20, -1)
	node := ros2.NodeName{Namespace: "/ns/inner", Name: "node"}
	rapid.Check(t, func(t *rapid.T) {
		name := alphabet.Draw(t, "name")
		full, err := ros2.ExpandName(name, node)
		if err != nil {
			return
		}
		if err := ros2.ValidateFullName(full); err != nil {
			t.Fatalf("%q expands to %q: %v", name, full, err)
		}
		if again, err := ros2.ExpandName(full, node); err != nil || again != full {
			t.Fatalf("%q expands again to %q, %v", full, again, err)
		}
	})
}

func FuzzValidateName(f *testing.F) {
	for _, seed := range []string{"odom", "~/a", "/a/{node}", "{", "a//b", "\xff", "~~"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		for _, validate := range []func(string) error{
			ros2.ValidateName, ros2.ValidateFullName, ros2.ValidateNamespace, ros2.ValidateNodeName,
		} {
			var bad *ros2.NameError
			if err := validate(name); err != nil && (!errors.As(err, &bad) || bad.Pos < 0 || bad.Pos > len(name)) {
				t.Fatalf("%q: %v at %d", name, err, bad.Pos)
			}
		}
	})
}

func TestValidateTypeName(t *testing.T) {
	for _, name := range []string{"std_msgs/msg/String", "a/b", "HelloWorld", "std_msgs::msg::dds_::String_", "_a1::B2", "example_interfaces/action/Fibonacci_SendGoal"} {
		if err := ros2.ValidateTypeName(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for name, pos := range map[string]int{
		"": 0, "/a": 0, "a/": 1, "a//b": 2, "a:b": 1, "a:::b": 3, "a::": 3, "::a": 0, "1a": 0, "a/1": 2, "a b": 1,
		"std_msgs/msg/String\x1b[2J": 19, "a\u202eb": 1, "a\x00": 1, "a:": 1, strings.Repeat("a", 256): 255,
	} {
		var e *ros2.NameError
		if err := ros2.ValidateTypeName(name); !errors.As(err, &e) || e.Pos != pos {
			t.Errorf("%q: %v, want an error at byte %d", name, err, pos)
		}
	}
}

func TestValidateNodeFullName(t *testing.T) {
	for name, valid := range map[ros2.NodeName]bool{
		{"/", "a"}: true, {"/r1/b", "_hidden"}: true, {"", "a"}: false, {"/r", ""}: false, {"/r", "a/b"}: false,
		{"/r\x1b", "a"}: false, {"/r", "a\u202e"}: false, {"r", "a"}: false,
	} {
		if err := name.Validate(); (err == nil) != valid {
			t.Errorf("%+q: %v", name, err)
		}
	}
}
