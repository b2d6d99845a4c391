// SPDX-License-Identifier: Apache-2.0

package record

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// TestNamesAreResolvedAsByTheNode: a selection by names without a slash, or relative to the node, records what full
// names would.
func TestNamesAreResolvedAsByTheNode(t *testing.T) {
	for name, c := range map[string]struct {
		s    Selection
		want string
	}{
		"full":       {Selection{Topics: []string{"/odom"}}, "[/odom 1]"},
		"relative":   {Selection{Topics: []string{"odom", "scan"}}, "[/odom 1 /scan 2]"},
		"nested":     {Selection{Topics: []string{"r1/odom"}}, "[/r1/odom 3]"},
		"private":    {Selection{Topics: []string{"~/state"}}, "[/recorder/state 4]"},
		"left out":   {Selection{AllTopics: true, ExcludeTopics: []string{"scan", "r1/odom", "~/state"}}, "[/odom 1]"},
		"namespaced": {Selection{Topics: []string{"{ns}r1/odom"}}, "[/r1/odom 3]"},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, Config{Select: c.s}, func(g *rig) {
				var say []func(string)
				for _, topic := range []string{"/odom", "/scan", "/r1/odom", "/recorder/state"} {
					say = append(say, g.publisher(topic, ros2.DefaultQoS()))
				}
				dir := g.start("run")
				for i := range say {
					say[i](fmt.Sprint(i + 1))
				}
				g.stop()
				if got := fmt.Sprint(texts(t, dir)); got != c.want {
					t.Errorf("recorded %s, want %s", got, c.want)
				}
			})
		})
	}
}

func TestNamesThatCannotBeResolvedAreRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &rig{t: t, net: ros2test.NewNetwork()}
		n := g.node("recorder", g.net.NewTransport(), false)
		for _, c := range []Config{
			{Select: Selection{Topics: []string{"/odom", "a//b"}}}, {Select: Selection{AllTopics: true, ExcludeTopics: []string{"1st"}}},
			{Select: Selection{Services: []string{"a b"}}}, {Select: Selection{AllServices: true, ExcludeServices: []string{"x/"}}},
			{Select: Selection{AllTopics: true}, QoS: map[string]ros2.QoS{"~x": {}}},
		} {
			c.Node = n
			if _, err := New(c); !errors.Is(err, ros2.ErrInvalidName) {
				t.Errorf("%+v: %v", c.Select, err)
			}
		}
	})
}

// TestTopicsThatNeverCameAreAnError: warned of while the recording runs, and an error at its end, with similar names.
func TestTopicsThatNeverCameAreAnError(t *testing.T) {
	for _, c := range []struct {
		topics []string
		want   error
		log    []string
	}{
		{[]string{"odom"}, nil, nil},
		{[]string{"odom", "/odmo"}, ErrNotPublished, []string{"not published yet", "never published; did you mean '/odom'?", "topic=/odmo"}},
		{[]string{"scan", "odom"}, ErrNotPublished, []string{"did you mean '/robot/scan'?", "topic=/scan"}},
		{[]string{"/quiet", "/odom"}, nil, []string{"a topic that was named has no message", "topic=/quiet"}},
		{[]string{"/quiet"}, ErrNoMessages, []string{"the recording has no message"}},
		{[]string{"nothing/like/it"}, ErrNoMessages, []string{"topic=/nothing/like/it"}},
	} {
		t.Run(strings.Join(c.topics, " "), func(t *testing.T) {
			inBubble(t, Config{Select: Selection{Topics: c.topics}}, func(g *rig) {
				say, _, _ := g.publisher("/odom", ros2.DefaultQoS()), g.publisher("/robot/scan", ros2.DefaultQoS()), g.publisher("/quiet", ros2.DefaultQoS())
				g.start("run")
				say("1")
				time.Sleep(publishedTimeout + 2*spaceInterval)
				g.cancel()
				g.cancel = nil
				if err := <-g.result; !errors.Is(err, c.want) || c.want == nil && err != nil {
					t.Errorf("ended with %v, want %v", err, c.want)
				}
				for _, text := range c.log {
					if !strings.Contains(g.log.String(), text) {
						t.Errorf("no %q in the log:\n%s", text, g.log)
					}
				}
				if c.want == nil && c.log == nil && strings.Contains(g.log.String(), "WARN") {
					t.Errorf("warned without a reason:\n%s", g.log)
				}
			})
		})
	}
}

// TestTopicThatComesLateIsNotMissing: it was warned of, and is recorded.
func TestTopicThatComesLateIsNotMissing(t *testing.T) {
	inBubble(t, Config{Select: Selection{Topics: []string{"late"}}}, func(g *rig) {
		g.start("run")
		time.Sleep(publishedTimeout + 2*spaceInterval)
		say := g.publisher("late", ros2.DefaultQoS())
		g.settle()
		say("1")
		g.stop()
		if text := g.log.String(); !strings.Contains(text, "not published yet") || strings.Contains(text, "never published") {
			t.Errorf("log:\n%s", text)
		}
	})
}
