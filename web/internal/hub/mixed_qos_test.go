// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"slices"
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
