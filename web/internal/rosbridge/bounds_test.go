// SPDX-License-Identifier: Apache-2.0

package rosbridge

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/example_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2/action"
	"github.com/epuck-ros2/epuck-driver/web/guard"
)

// TestIncompleteFragmentsAreBounded: fragments that never become complete keep at most 4 MiB, with their ids, with the
// headers of missing parts, and with what the entries cost.
func TestIncompleteFragmentsAreBounded(t *testing.T) {
	const entry = 128 // at least: a map entry with its key, the struct of the parts
	for name, c := range map[string]struct{ id, total int }{
		"long ids":                {900, 2},
		"short ids":               {5, 2},
		"many parts":              {5, maxParts},
		"long ids and many parts": {900, maxParts},
	} {
		t.Run(name, func(t *testing.T) {
			var a assembly
			refused := 0
			now := time.Unix(0, 0)
			for i := 0; refused < 3; i++ {
				if i*entry > 2*maxAssembled {
					t.Fatalf("%d messages are kept", len(a.messages))
				}
				id := fmt.Sprintf("%0*d", c.id, i)
				if _, done, err := a.add(id, &request{Total: c.total, Data: "x"}, now); err != nil {
					refused++
				} else if done {
					t.Fatal("one of several parts is a message")
				}
			}
			size := 0
			for key, p := range a.messages {
				size += len(key) + 16*cap(p.data) + entry
				for _, d := range p.data {
					size += len(d)
				}
			}
			if size > maxAssembled || a.bytes > maxAssembled || len(a.messages) == 0 {
				t.Errorf("%d messages, counted as %d bytes, have at least %d; the bound is %d", len(a.messages), a.bytes, size, maxAssembled)
			}
			if _, _, err := a.add("later", &request{Total: 2, Data: "x"}, now.Add(partsTime+time.Second)); err != nil || len(a.messages) != 1 {
				t.Errorf("after %v: %v, %d messages are kept", partsTime, err, len(a.messages))
			}
		})
	}
}

// TestIDsAreBounded: an id of more than 1000 bytes is refused by every operation, and nothing keeps it.
func TestIDsAreBounded(t *testing.T) {
	inScene(t, guard.Drive, func(s *scene) {
		fits, long := strings.Repeat("i", maxID-2), strings.Repeat("i", maxID-1) // with quotes: 1000 and 1001 bytes
		for _, request := range []string{
			`{"op":"fragment","id":%q,"num":0,"total":2,"data":"x"}`,
			`{"op":"png","id":%q,"num":0,"total":2,"data":"x"}`,
			`{"op":"advertise","id":%q,"topic":"/x","type":"std_msgs/Empty"}`,
			`{"op":"subscribe","id":%q,"topic":"/x","type":"std_msgs/Empty"}`,
		} {
			s.say(request, long)
			s.refused("id: 1001 bytes, at most 1000")
			s.say(request, fits)
			if data, _ := s.frame(); data != nil {
				s.Errorf("%s with an id of 1000 bytes: %s", request, data)
			}
		}
		s.say(`{"op":"subscribe","id":1%s,"topic":"/x","type":"std_msgs/Empty"}`, strings.Repeat("0", maxID))
		s.refused("id: 1001 bytes")
		kept := len(s.client.assembly.messages) + len(s.client.publications["/x"].ids) + len(s.client.subscriptions["/x"].demands)
		if kept != 4 {
			s.Errorf("%d ids are kept, want the 4 that fit", kept)
		}
	})
}

// TestAdvertisementsAreBounded: of 10,000 advertisements with an id each, of one topic or of as many topics, 200 are
// kept, and the client can withdraw them.
func TestAdvertisementsAreBounded(t *testing.T) {
	inScene(t, guard.Drive, func(s *scene) {
		const requests = 10_000
		for _, topic := range []string{"/one", "/n%d"} {
			refused := 0
			for i := range requests {
				name := strings.ReplaceAll(topic, "%d", fmt.Sprint(i))
				err := s.client.advertiseTopic(&request{Topic: name, Type: "std_msgs/String", ID: identifier{key: fmt.Sprintf("%900d", i)}})
				if err != nil && strings.Contains(err.Error(), "more than 200") {
					refused++
				}
			}
			ids := 0
			for _, p := range s.client.publications {
				ids += len(p.ids)
			}
			if ids > 2*maxTopics || len(s.client.publications) > maxTopics || refused < requests-maxTopics {
				s.Errorf("%s: %d topics with %d ids, %d refusals", topic, len(s.client.publications), ids, refused)
			}
		}
		if n := len(s.client.publications["/one"].ids); n != maxTopics {
			s.Errorf("%d ids advertise one topic, want %d", n, maxTopics)
		}
		for i := range requests { // also with those that were refused
			err := s.client.unadvertise(&request{Topic: "/one", ID: identifier{key: fmt.Sprintf("%900d", i)}})
			if err != nil && !errors.Is(err, errWarning) {
				s.Fatal(err)
			}
		}
		if s.client.publications["/one"] != nil {
			s.Error("the topic is advertised after the last id has withdrawn it")
		}
	})
}

// TestEndedGoalsAreBounded: a client that offers an action keeps at most 100 goals and about 1 MiB of results, and
// never loses a goal that it executes.
func TestEndedGoalsAreBounded(t *testing.T) {
	for _, c := range []struct {
		name           string
		goals, numbers int
	}{{"many goals", 3 * keepGoals / 2, 1}, {"large results", 8, 40_000}} {
		t.Run(c.name, func(t *testing.T) {
			inScene(t, guard.Drive, func(s *scene) { s.endGoals(c.goals, c.numbers) })
		})
	}
}

// endGoals ends goals with results of so many numbers, while one that was sent before is executed.
func (s *scene) endGoals(goals, numbers int) {
	s.Helper()
	s.say(`{"op":"advertise_action","action":"/count","type":"example_interfaces/Fibonacci"}`)
	caller, err := action.NewClient(s.robot, example_interfaces.Fibonacci{}, "/count")
	s.must(err)
	defer func() { s.must(caller.Close()) }()
	got := make(chan string, 1)
	send := func() (id string) {
		go func() {
			sent, err := caller.Send(s.Context(), &fibonacciGoal{}, nil)
			if err != nil {
				got <- err.Error()
				return
			}
			result, err := sent.Result(s.Context())
			if err != nil {
				got <- err.Error()
				return
			}
			got <- fmt.Sprint(len(result.Sequence))
		}()
		m := s.hear()
		id, _ = m["id"].(string)
		if m["op"] != "send_action_goal" || id == "" {
			s.Fatalf("%.300v", m)
		}
		return id
	}
	finish := func(id string, numbers int) {
		s.say(`{"op":"action_result","action":"/count","id":%q,"values":{"sequence":[1%s]},"status":4,"result":true}`, id, strings.Repeat(",1", numbers-1))
		if n := <-got; n != fmt.Sprint(numbers) {
			s.Fatalf("goal %s: result with %s, want %d numbers", id, n, numbers)
		}
	}
	running := send()
	offered := s.client.actions["/count"]
	for range goals {
		finish(send(), numbers)
		offered.mu.Lock()
		bytes, last := 0, 0
		for _, g := range offered.goals {
			bytes, last = bytes+len(g.result), len(g.result)
		}
		n := len(offered.goals)
		offered.mu.Unlock()
		if n > keepGoals || bytes > max(keepBytes, last) {
			s.Fatalf("%d goals with results of %d bytes are kept", n, bytes)
		}
	}
	finish(running, 7)
}

// TestResultsOfEndedGoalsAreBounded: the oldest results are removed first, the last one never, even above the bound.
func TestResultsOfEndedGoalsAreBounded(t *testing.T) {
	for _, c := range []struct {
		sizes []int // of results, 0 is a goal that is executed
		want  []int
	}{
		{[]int{keepBytes}, []int{keepBytes}},
		{[]int{2 * keepBytes}, []int{2 * keepBytes}},
		{[]int{0, keepBytes, 0, 1}, []int{0, 0, 1}},
		{[]int{0, 5, keepBytes - 7, 2}, []int{0, 5, keepBytes - 7, 2}},
		{[]int{1, 5, 0, keepBytes - 7, 3}, []int{0, keepBytes - 7, 3}},
		{[]int{1, 5, 2 * keepBytes}, []int{2 * keepBytes}},
	} {
		o := &offeredActions{}
		for _, size := range c.sizes {
			g := &offeredGoal{state: action.Executing}
			if size > 0 {
				g.state, g.result = action.Succeeded, make([]byte, size)
			}
			o.goals = append(o.goals, g)
		}
		o.boundResults(o.goals[len(o.goals)-1])
		var got []int
		for _, g := range o.goals {
			got = append(got, len(g.result))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("of results of %v bytes %v are kept, want %v", c.sizes, got, c.want)
		}
	}
}
