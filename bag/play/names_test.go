// SPDX-License-Identifier: Apache-2.0

package play

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// TestNamesOfTopicsAreExpanded: a topic that is named without a slash is that of the bag.
func TestNamesOfTopicsAreExpanded(t *testing.T) {
	for want, c := range map[string]Config{
		"b":     {Select: Selection{Topics: []string{"b"}}},
		"map b": {Select: Selection{ExcludeTopics: []string{"a"}}},
	} {
		c.Rate = 100
		playing(t, c, nil, func(s *scene) {
			if err := <-s.result; err != nil {
				t.Error(err)
			}
			s.result <- nil
			synctest.Wait()
			s.mu.Lock()
			defer s.mu.Unlock()
			var texts []string
			for _, line := range s.heard {
				text, _, _ := strings.Cut(line, " ")
				texts = append(texts, text)
			}
			if got := strings.Join(texts, " "); got != want {
				t.Errorf("heard %q, want %q", got, want)
			}
		})
	}
}

// TestTopicsThatAreNotInTheBagAreAnError: the others are played.
func TestTopicsThatAreNotInTheBagAreAnError(t *testing.T) {
	b := makeBag(t)
	for _, c := range []struct {
		cfg  Config
		want error
	}{
		{Config{Select: Selection{Topics: []string{"a", "/mpa"}}}, ErrNotInBag},
		{Config{Select: Selection{Services: []string{"s"}, Topics: []string{"/a"}}}, ErrNotInBag},
		{Config{ClockTopics: []string{"c"}}, ErrNotInBag},
		{Config{Select: Selection{Topics: []string{"/x"}}}, ErrEmpty},
		{Config{Select: Selection{Topics: []string{"a b"}}}, ros2.ErrInvalidName},
		{Config{ClockTopics: []string{"a"}, QoS: map[string]ros2.QoS{"b": {}}}, nil},
	} {
		synctest.Test(t, func(t *testing.T) {
			transport := ros2test.NewTransport()
			n, err := ros2.NewNode(ros2.NodeConfig{Name: "player", Transport: transport})
			if err != nil {
				t.Fatal(err)
			}
			c.cfg.Node, c.cfg.Bag, c.cfg.Rate = n, b, 1000
			p, err := New(c.cfg)
			if err == nil {
				err = p.Run(t.Context())
				if p.Status().Messages == 0 {
					t.Errorf("%+v: nothing was played", c.cfg.Select)
				}
			}
			if !errors.Is(err, c.want) || c.want == nil && err != nil {
				t.Errorf("%+v: %v, want %v", c.cfg.Select, err, c.want)
			}
			if err := errors.Join(n.Close(), transport.Close()); err != nil {
				t.Error(err)
			}
		})
	}
}
