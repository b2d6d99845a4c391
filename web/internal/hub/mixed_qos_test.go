// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

func TestKeptMessagesArriveNextToVolatileOnes(t *testing.T) {
	inScene(t, func(s *scene) {
		latched := s.talker("/mix", ros2.LatchedQoS())
		latched("latched")
		flowing := s.talker("/mix", ros2.SensorDataQoS())
		flowing("too early")
		first, cancel := s.subscribe("/mix")
		defer cancel()
		flowing("flowing")
		latched("again")
		late, cancelLate := s.subscribe("/mix")
		defer cancelLate()
		if got := first.heard(); !slices.Equal(got, []string{"latched", "flowing", "again"}) {
			t.Errorf("the first viewer heard %q", got)
		}
		if got := late.heard(); !slices.Equal(got, []string{"latched", "again"}) {
			t.Errorf("the late viewer heard %q", got)
		}
	})
}

func TestPublisherThatAppearsLaterLosesNothing(t *testing.T) {
	inScene(t, func(s *scene) {
		viewer, cancel := s.subscribe("/mix")
		defer cancel()
		flowing := s.talker("/mix", ros2.SensorDataQoS())
		flowing("a")
		latched := s.talker("/mix", ros2.LatchedQoS().WithDepth(5))
		latched("b", "c")
		time.Sleep(2 * settleTime)
		synctest.Wait()
		latched("d")
		flowing("e")
		if got := viewer.heard(); !slices.Equal(got, []string{"a", "b", "c", "d", "e"}) {
			t.Errorf("heard %q", got)
		}
	})
}

func TestKeptMessagesLeaveWithTheirPublisher(t *testing.T) {
	inScene(t, func(s *scene) {
		_, cancel := s.subscribe("/mix")
		defer cancel()
		s.talker("/mix", ros2.LatchedQoS())("stays")
		leaving, err := ros2.NewNode(ros2.NodeConfig{Name: "leaving", Transport: s.ether.NewTransport()})
		s.must(err)
		robot := s.robot
		s.robot = leaving
		s.talker("/mix", ros2.LatchedQoS())("leaves")
		s.robot = robot
		s.must(leaving.Close())
		time.Sleep(2 * settleTime)
		synctest.Wait()
		late, cancelLate := s.subscribe("/mix")
		defer cancelLate()
		if got := late.heard(); !slices.Equal(got, []string{"stays"}) {
			t.Errorf("heard %q", got)
		}
	})
}

// TestPublishersWithAnotherDefinition: messages of publishers whose type has another definition than that by which viewers
// decode never reach them, whichever publisher came first and which announcements the graph knows; the own one is preferred.
func TestPublishersWithAnotherDefinition(t *testing.T) {
	otherHash := "RIHS01_" + strings.Repeat("0", 64)
	for _, c := range []struct {
		name   string
		first  bool // the other publisher comes before the viewer
		stays  bool // the robot's publisher stays
		viewed []string
	}{
		{"before", true, true, []string{"ours", "ours", "ours"}},
		{"after", false, true, []string{"ours", "ours", "ours"}},
		{"alone", true, false, []string{"other", "other", "other"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			inScene(t, func(s *scene) {
				say := func(string) {}
				if c.stays {
					p := s.talker("/mix", ros2.DefaultQoS())
					say = func(text string) { p(text) }
				}
				var other ros2.Writer
				join := func() {
					var err error
					tr := s.ether.NewTransport()
					other, err = tr.NewWriter(ros2.WriterConfig{EndpointConfig: ros2.EndpointConfig{
						Topic: "/mix", Type: "std_msgs/msg/String", TypeHash: otherHash,
					}})
					s.must(err)
				}
				if c.first {
					join()
				}
				viewer, cancel := s.subscribe("/mix")
				defer cancel()
				if !c.first {
					join()
				}
				for range 3 { // at once, and when the graph has settled
					s.must(other.Write(text("other")))
					say("ours")
					time.Sleep(2 * settleTime)
					synctest.Wait()
				}
				if got := viewer.heard(); !slices.Equal(got, c.viewed) {
					t.Errorf("heard %q, want %q", got, c.viewed)
				}
				for _, topic := range s.hub.Graph().Topics { // viewers decode by the same
					if topic.Name == "/mix" && (topic.Hash == otherHash) != (c.viewed[0] == "other") {
						t.Errorf("the topic's hash is %s", topic.Hash)
					}
				}
				s.must(other.Close())
			})
		})
	}
}
