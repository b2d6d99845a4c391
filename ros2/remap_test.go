// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

func TestRemapNodeName(t *testing.T) {
	for _, c := range []struct{ rules, name, ns, want string }{
		{"", "driver", "", "/driver"},
		{"", "driver", "robot1", "/robot1/driver"},
		{"", "driver", "/a/b", "/a/b/driver"},
		{"-r __node:=d2", "driver", "/", "/d2"},
		{"-r __name:=d2 -r __ns:=/r", "driver", "/", "/r/d2"},
		{"-r __ns:=/first -r __ns:=/second", "driver", "/x", "/first/driver"},
		{"-r other:__node:=d2 -r other:__ns:=/r", "driver", "/", "/driver"},
		{"-r driver:__node:=d2 -r __node:=d3", "driver", "/", "/d2"},
		// The namespace rule applies to the new name of the node.
		{"-r __node:=d2 -r driver:__ns:=/old -r d2:__ns:=/new", "driver", "/", "/new/d2"},
		{"-r __ns:=/", "driver", "/robot1", "/driver"},
	} {
		n, err := parse(t, "--ros-args "+c.rules).NodeName(c.name, c.ns)
		if err != nil || n.FullName() != c.want {
			t.Errorf("%s of %q in %q: %v, %v; want %s", c.rules, c.name, c.ns, n.FullName(), err, c.want)
		}
	}
}

func TestRemapTopics(t *testing.T) {
	node := ros2.NodeName{Namespace: "/robot1", Name: "driver"}
	for _, c := range []struct{ rules, name, want string }{
		{"-r cmd_vel:=vel", "cmd_vel", "/robot1/vel"},
		{"-r cmd_vel:=/vel", "cmd_vel", "/vel"},
		{"-r /robot1/cmd_vel:=vel", "cmd_vel", "/robot1/vel"},
		{"-r cmd_vel:=vel", "/robot1/cmd_vel", "/robot1/vel"},
		{"-r cmd_vel:=vel", "/cmd_vel", "/cmd_vel"},
		{"-r /tf:=tf", "/tf", "/robot1/tf"},
		{"-r ~/reset:=/reset", "~/reset", "/reset"},
		{"-r ~/reset:=/reset", "driver/reset", "/reset"},
		{"-r a:=~/b", "a", "/robot1/driver/b"},
		{"-r {node}/a:=b", "~/a", "/robot1/b"},
		{"-r a:=b -r a:=c", "a", "/robot1/b"},
		{"-r a:=b -r b:=c", "a", "/robot1/b"},
		{"-r other:a:=b", "a", "/robot1/a"},
		{"-r driver:a:=b", "a", "/robot1/b"},
		{"-r ab:=c", "a", "/robot1/a"},
	} {
		got, err := parse(t, "--ros-args "+c.rules).ResolveName(c.name, node)
		if err != nil || got != c.want {
			t.Errorf("%s of %s: %q, %v; want %s", c.rules, c.name, got, err, c.want)
		}
	}
	for rule, want := range map[string][2]string{
		"a:=b":                      {"/robot1/b", "/robot1/b"},
		"rostopic://a:=b":           {"/robot1/b", "/robot1/a"},
		"rosservice:///robot1/a:=b": {"/robot1/a", "/robot1/b"},
		"driver:rosservice://a:=b":  {"/robot1/a", "/robot1/b"},
		"other:rosservice://a:=b":   {"/robot1/a", "/robot1/a"},
	} {
		args := parse(t, "--ros-args -r "+rule)
		topic, err1 := args.ResolveName("a", node)
		service, err2 := args.ResolveServiceName("a", node)
		if got := [2]string{topic, service}; got != want || err1 != nil || err2 != nil {
			t.Errorf("%s: %q, %v, %v; want %q", rule, got, err1, err2, want)
		}
	}
	if got, err := parse(t, "--ros-args -r {robot}/a:=b").ResolveName("a", node); err == nil {
		t.Errorf("a rule with an unknown substitution gives %q", got)
	}
}

// Rules for other names and other nodes do not change a name, in whatever order; the first rule for the name applies.
func TestRemapProperty(t *testing.T) {
	word := rapid.StringMatching(`[a-z]{1,3}`)
	node := ros2.NodeName{Namespace: "/ns", Name: "me"}
	rapid.Check(t, func(t *rapid.T) {
		var line []string
		want := ""
		name := word.Draw(t, "name")
		for range rapid.IntRange(0, 6).Draw(t, "rules") {
			from, to := word.Draw(t, "from"), word.Draw(t, "to")
			prefix := rapid.SampledFrom([]string{"", "me:", "you:"}).Draw(t, "node")
			line = append(line, "-r", prefix+from+":="+to)
			if want == "" && from == name && prefix != "you:" {
				want = "/ns/" + to
			}
		}
		if want == "" {
			want = "/ns/" + name
		}
		args, _, err := ros2.ParseArgs(append([]string{"--ros-args"}, line...))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := args.ResolveName(name, node); got != want || err != nil {
			t.Fatalf("%q of %q: %q, %v; want %q", line, name, got, err, want)
		}
	})
}
