// SPDX-License-Identifier: Apache-2.0

package foxglove

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/rcl_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// chatter makes /chatter a channel and returns the publisher and the channel's id.
func (s *scene) chatter() (*ros2.Publisher[std_msgs.String], uint32) {
	s.Helper()
	pub, err := ros2.NewPublisher[std_msgs.String](s.robot, "chatter", ros2.DefaultQoS())
	s.must(err)
	s.met()
	return pub, s.channels()["/chatter"]
}

// text returns the subscription and the text of a message of a string.
func (s *scene) text(data []byte) (subscription uint32, text string) {
	s.Helper()
	if len(data) < 13 || data[0] != opMessage {
		s.Fatalf("%x is no message", data)
	}
	var m std_msgs.String
	s.must(cdr.Unmarshal(data[13:], &m))
	return binary.LittleEndian.Uint32(data[1:]), m.Data
}

// TestMessagesReachTheirSubscription: a message has the client's id, the time of arrival and the bytes as sent.
func TestMessagesReachTheirSubscription(t *testing.T) {
	inScene(t, func(s *scene) {
		pub, channel := s.chatter()
		s.say(`{"op":"subscribe","subscriptions":[{"id":4000000000,"channelId":%d}]}`, channel)
		s.must(pub.Publish(&std_msgs.String{Data: "hi"}))
		got := s.binary()
		want := messageHead(4000000000, uint64(time.Now().UnixNano()))
		want = append(want, 0, 1, 0, 0, 3, 0, 0, 0, 'h', 'i', 0)
		if !bytes.Equal(got[:len(want)], want) || len(got) > len(want)+3 { // CDR may be padded to 4
			s.Errorf("%x, want %x", got, want)
		}
		s.say(`{"op":"unsubscribe","subscriptionIds":[4000000000]}`)
		s.must(pub.Publish(&std_msgs.String{Data: "unheard"}))
		s.quiet("after unsubscribe")
		if n := s.client.hub.Stats().Subscriptions; n != 0 {
			s.Errorf("%d topics are read for a client that wants none", n)
		}
	})
}

// TestWrongSubscriptions: each results in a warning, and the others in the same message are served.
func TestWrongSubscriptions(t *testing.T) {
	inScene(t, func(s *scene) {
		pub, channel := s.chatter()
		s.say(`{"op":"subscribe","subscriptions":[{"id":1,"channelId":999},{"id":2,"channelId":%d},{"id":2,"channelId":%d}]}`, channel, channel)
		s.refused(statusError, "channel 999 is not advertised")
		s.refused(statusError, "subscription 2 is there already")
		s.say(`{"op":"subscribe","subscriptions":[{"id":3,"channelId":%d}]}`, channel)
		s.refused(statusError, fmt.Sprintf("channel %d is subscribed already", channel))
		s.must(pub.Publish(&std_msgs.String{Data: "hi"}))
		if id, text := s.text(s.binary()); id != 2 || text != "hi" {
			s.Error(id, text)
		}
		s.quiet("one subscription is left")
		s.say(`{"op":"unsubscribe","subscriptionIds":[7,2,2]}`)
		s.refused(statusError, "no subscription 7")
		s.refused(statusError, "no subscription 2")
		s.quiet("the one that was there is gone")
	}, plain)
}

// TestPageSubscribesTwice: two panels of the page subscribe to one topic, each with its own period.
func TestPageSubscribesTwice(t *testing.T) {
	inScene(t, func(s *scene) {
		pub, channel := s.chatter()
		s.say(`{"op":"subscribe","subscriptions":[{"id":1,"channelId":%d},{"id":2,"channelId":%d,"period":1000}]}`, channel, channel)
		heard := map[uint32][]string{}
		for i := range 4 {
			s.must(pub.Publish(&std_msgs.String{Data: fmt.Sprint(i)}))
			for s.client.box.Stats().Bytes > 0 && (i == 0 || i == 3 || len(heard[1]) <= i) {
				id, text := s.text(s.binary())
				heard[id] = append(heard[id], text)
			}
		}
		if got := fmt.Sprint(heard); got != "map[1:[0 1 2 3] 2:[0 3]]" {
			s.Error(got)
		}
	})
}

// TestPeriodsAreBounded: a negative period counts as none, an infinite one as a minute.
func TestPeriodsAreBounded(t *testing.T) {
	for period, want := range map[string]time.Duration{"-5": 0, "0": 0, "20": 20 * time.Millisecond, "1e300": time.Minute} {
		inScene(t, func(s *scene) {
			pub, channel := s.chatter()
			s.say(`{"op":"subscribe","subscriptions":[{"id":1,"channelId":%d,"period":%s}]}`, channel, period)
			s.must(pub.Publish(&std_msgs.String{Data: "a"}))
			s.binary()
			begun := time.Now()
			s.must(pub.Publish(&std_msgs.String{Data: "b"}))
			for {
				data, _ := s.frame()
				if data != nil {
					break
				}
			}
			if took := time.Since(begun); took != want {
				s.Errorf("period %s: the second came after %v, want %v", period, took, want)
			}
		})
	}
}

// TestAcknowledge: with acknowledge the next message, the latest, is sent when the last one is acknowledged.
func TestAcknowledge(t *testing.T) {
	inScene(t, func(s *scene) {
		pub, channel := s.chatter()
		s.say(`{"op":"subscribe","subscriptions":[{"id":1,"channelId":%d,"acknowledge":true}]}`, channel)
		for _, text := range []string{"a", "b", "c"} {
			s.must(pub.Publish(&std_msgs.String{Data: text}))
			if text == "a" {
				s.binary()
			}
		}
		s.say(`{"op":"acknowledge","subscriptionId":9}`) // there is none
		s.quiet("not acknowledged")
		s.say(`{"op":"acknowledge","subscriptionId":1}`)
		if _, text := s.text(s.binary()); text != "c" {
			s.Error(text)
		}
	})
}

// TestEachSubscriberHasItsOwnLimit: of topics where each message matters, as log lines, several are queued.
func TestEachSubscriberHasItsOwnLimit(t *testing.T) {
	inScene(t, func(s *scene) {
		pub, err := ros2.NewPublisher[rcl_interfaces.Log](s.robot, "lines", ros2.DefaultQoS())
		s.must(err)
		s.met()
		s.say(`{"op":"subscribe","subscriptions":[{"id":1,"channelId":%d}]}`, s.channels()["/lines"])
		for i := range 201 {
			s.must(pub.Publish(&rcl_interfaces.Log{Line: uint32(i)}))
		}
		for i := range 200 { // line 0 gave way
			var m rcl_interfaces.Log
			s.must(cdr.Unmarshal(s.binary()[13:], &m))
			if m.Line != uint32(i+1) {
				s.Fatalf("line %d comes as number %d", m.Line, i)
			}
		}
		s.quiet("200 may wait")
	})
}

// TestSubscriptionsEndWithTheirChannel: subscriptions end when the publisher ends; a client subscribes again when it
// returns.
func TestSubscriptionsEndWithTheirChannel(t *testing.T) {
	inScene(t, func(s *scene) {
		pub, channel := s.chatter()
		s.say(`{"op":"subscribe","subscriptions":[{"id":1,"channelId":%d}]}`, channel)
		s.must(pub.Close())
		s.met()
		if n := s.client.hub.Stats().Subscriptions; n != 0 || len(s.client.subscriptions) != 0 {
			s.Errorf("%d topics, %d subscriptions", n, len(s.client.subscriptions))
		}
		s.say(`{"op":"subscribe","subscriptions":[{"id":1,"channelId":%d}]}`, channel)
		s.refused(statusWarning, "is not advertised")
		s.chatter()
		s.say(`{"op":"subscribe","subscriptions":[{"id":1,"channelId":%d}]}`, channel)
		s.quiet("it is back under its number")
	})
}

func TestSubscriptionsAreBounded(t *testing.T) {
	inScene(t, func(s *scene) {
		_, channel := s.chatter()
		for i := range maxSubscriptions {
			s.say(`{"op":"subscribe","subscriptions":[{"id":%d,"channelId":%d}]}`, i, channel)
		}
		s.say(`{"op":"subscribe","subscriptions":[{"id":%d,"channelId":%d}]}`, maxSubscriptions, channel)
		s.refused(statusError, "more than 500 subscriptions")
		s.say(`{"op":"unsubscribe","subscriptionIds":[0]}`)
		s.say(`{"op":"subscribe","subscriptions":[{"id":%d,"channelId":%d}]}`, maxSubscriptions, channel)
		s.quiet("one was released")
	})
}

// TestSubscriptionThatTheNetworkRefuses: the id of a failed subscription can be used again.
func TestSubscriptionThatTheNetworkRefuses(t *testing.T) {
	inScene(t, func(s *scene) {
		_, channel := s.chatter()
		s.must(s.client.hub.Close())
		for range 2 {
			s.say(`{"op":"subscribe","subscriptions":[{"id":1,"channelId":%d}]}`, channel)
			s.refused(statusError, "closed")
		}
		s.say(`{"op":"subscribeParameterUpdates","parameterNames":[]}`)
		s.refused(statusError, "closed")
	})
}

// TestDisconnectReleasesEverything: a disconnect ends the client's subscriptions and publications.
func TestDisconnectReleasesEverything(t *testing.T) {
	inScene(t, func(s *scene) {
		_, channel := s.chatter()
		s.say(`{"op":"subscribe","subscriptions":[{"id":1,"channelId":%d}]}`, channel)
		s.say(`{"op":"subscribeParameterUpdates","parameterNames":[]}`)
		s.must(s.client.followClock())
		s.say(`{"op":"advertise","channels":[{"id":1,"topic":"a","encoding":"cdr","schemaName":"std_msgs/msg/String"}]}`)
		s.say(`{"op":"takeControl","robot":"/r"}`)
		if got := s.client.hub.Stats(); got.Subscriptions != 3 || got.Publications != 2 {
			s.Errorf("%+v", got)
		}
		s.client.end()
		if got := s.client.hub.Stats(); got.Subscriptions != 0 || got.Publications != 0 {
			s.Errorf("after the end: %+v", got)
		}
		if held := s.client.server.cfg.Arbiter.State(); len(held) != 0 {
			s.Errorf("after the end: %+v", held)
		}
	})
}
