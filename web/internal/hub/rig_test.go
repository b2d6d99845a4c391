// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

// scene is a hub and a robot's node on a network in memory, in a synctest bubble.
type scene struct {
	*testing.T
	ether     *ros2test.Network
	transport *ros2test.Transport // the hub's
	hub       *Hub
	robot     *ros2.Node
}

var hubName = ros2.NodeName{Namespace: "/", Name: "web"}

func inScene(t *testing.T, test func(s *scene)) {
	synctest.Test(t, func(t *testing.T) {
		s := &scene{T: t, ether: ros2test.NewNetwork()}
		s.transport = s.ether.NewTransport()
		var err error
		s.hub, err = New(Config{Transport: s.transport, Node: hubName, Types: msgs.Definition})
		s.must(err)
		s.robot, err = ros2.NewNode(ros2.NodeConfig{Name: "robot", Transport: s.ether.NewTransport()})
		s.must(err)
		test(s)
		s.must(errors.Join(s.robot.Close(), s.hub.Close()))
	})
}

func (s *scene) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// collector collects the texts of a topic. Messages arrive on goroutines of the network.
type collector struct {
	mu    sync.Mutex
	texts []string
}

func (c *collector) hear(m *Message) {
	var text std_msgs.String
	err := cdr.Unmarshal(m.Data, &text)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil {
		text.Data = err.Error()
	}
	c.texts = append(c.texts, text.Data)
}

// heard returns the texts so far.
func (c *collector) heard() []string {
	synctest.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.texts)
}

// talker publishes texts on a topic of the robot.
func (s *scene) talker(topic string, qos ros2.QoS) func(texts ...string) {
	s.Helper()
	p, err := ros2.NewPublisher[std_msgs.String](s.robot, topic, qos)
	s.must(err)
	return func(texts ...string) {
		s.Helper()
		for _, text := range texts {
			s.must(p.Publish(&std_msgs.String{Data: text}))
		}
	}
}

// subscribe subscribes by the hub.
func (s *scene) subscribe(topic string) (*collector, func()) {
	s.Helper()
	e := &collector{}
	cancel, err := s.hub.Subscribe(topic, "std_msgs/msg/String", e.hear)
	s.must(err)
	return e, cancel
}

func (s *scene) wantStats(want Stats) {
	s.Helper()
	if got := s.hub.Stats(); got != want {
		s.Errorf("%+v, want %+v", got, want)
	}
}

// text is the payload of a std_msgs/String.
func text(s string) []byte {
	payload, err := cdr.Marshal(nil, &std_msgs.String{Data: s})
	if err != nil {
		return nil
	}
	return payload
}
