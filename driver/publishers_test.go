// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/health"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

func messagesBuilt(s health.Status) map[string]uint64 {
	built := map[string]uint64{}
	for _, topic := range s.Topics {
		if topic.Messages > 0 {
			built[topic.Name] = topic.Messages
		}
	}
	return built
}

func TestEveryTopicOfTheTableIsPublished(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{})
		subscribeAll(r)
		time.Sleep(525 * time.Millisecond)
		r.must(r.robot.SendRemote(5))
		time.Sleep(time.Second)
		for _, topic := range r.driver.Status().Topics {
			if topic.Subscribers != 1 || topic.Messages == 0 {
				t.Errorf("%s: %d subscribers, %d messages", topic.Name, topic.Subscribers, topic.Messages)
			}
		}
	})
}

// All that came from one exchange travels in one batch and carries one stamp: the end of the transfer.
func TestOneBatchAndOneStampPerCycle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{})
		subscribeAll(r)
		r.transport.Record()
		time.Sleep(1025 * time.Millisecond)
		odom := ros2test.Messages[nav_msgs.Odometry](t, r.transport, "/odom")
		for _, topic := range r.transport.RecordedTopics() {
			batch := 0
			for _, m := range r.transport.Recorded(topic) {
				if m.Batch <= batch && topic != table.TopicDiag { // which comes from no exchange
					t.Errorf("%s: two messages in batch %d", topic, m.Batch)
				}
				batch = m.Batch
			}
		}
		ranges := ros2test.Messages[jazzy.Range](t, r.transport, "/ps7")
		for i, m := range ranges {
			if m.Header.Stamp != odom[i].Header.Stamp {
				t.Errorf("cycle %d: ps7 is stamped %v, odom %v", i, m.Header.Stamp, odom[i].Header.Stamp)
			}
		}
		// A transfer of 20 + 47 bytes takes more than 6 ms at 100 kHz.
		if ns := odom[0].Header.Stamp.Nanosec; ns < 6_000_000 || ns > 7_000_000 {
			t.Errorf("the first reading is stamped %d ns after the start", ns)
		}
	})
}

// A transport that accepts nothing for a while stops neither the robot nor the loop, and is logged once.
func TestUnpublishedMessagesAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, rigOptions{})
		odom := listenTo[nav_msgs.Odometry](r, "odom")
		time.Sleep(525 * time.Millisecond)
		r.transport.FailWrites(errors.New("no buffer space"))
		r.drive(0.1, 0, time.Second)
		r.transport.FailWrites(nil)
		if s := r.driver.Status(); s.Unpublished != 20 || s.X < 0.09 {
			t.Errorf("%d messages unpublished, %v m driven", s.Unpublished, s.X)
		}
		if n := r.log.count("no buffer space"); n != 1 {
			t.Errorf("%d log lines\n%v", n, r.log)
		}
		heard := len(odom())
		time.Sleep(time.Second)
		if n := len(odom()) - heard; n != 20 {
			t.Errorf("%d messages in the second after", n)
		}
	})
}
