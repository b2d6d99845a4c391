// SPDX-License-Identifier: Apache-2.0

package foxglove

import (
	"encoding/binary"
	"fmt"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/web/guard"
	"github.com/epuck-ros2/epuck-driver/web/internal/teleop"
)

// publish sends a client's message for one of its channels.
func (s *scene) publish(channel uint32, payload string) {
	s.Helper()
	s.send(append(binary.LittleEndian.AppendUint32([]byte{opClientMessage}, channel), payload...))
}

// strings returns the messages of a topic of strings.
func (s *scene) strings(topic string) <-chan string {
	s.Helper()
	heard := make(chan string, 10)
	_, err := ros2.NewSubscription(s.robot, topic, ros2.DefaultQoS(), func(m *std_msgs.String, _ ros2.MessageInfo) { heard <- m.Data })
	s.must(err)
	return heard
}

// TestPublish covers both encodings, the short and the full name of a type, and topics with and without a slash.
func TestPublish(t *testing.T) {
	const cdrHi = "\x00\x01\x00\x00\x03\x00\x00\x00hi\x00"
	for _, c := range []struct{ topic, encoding, schema, payload string }{
		{"/a", "cdr", "std_msgs/msg/String", cdrHi}, {"a", "cdr", "std_msgs/String", cdrHi},
		{"a", "json", "std_msgs/msg/String", `{"data":"hi"}`}, {"/a", "json", "std_msgs/String", `{"data":"hi"}`},
	} {
		inScene(t, func(s *scene) {
			heard := s.strings("/a")
			s.say(`{"op":"advertise","channels":[{"id":3,"topic":%q,"encoding":%q,"schemaName":%q}]}`, c.topic, c.encoding, c.schema)
			s.publish(3, c.payload)
			if got := <-heard; got != "hi" {
				s.Errorf("%v: %q", c, got)
			}
			s.say(`{"op":"unadvertise","channelIds":[3,9]}`)
			s.refused(statusError, "channel 9 is not advertised")
			s.publish(3, c.payload)
			s.refused(statusError, "channel 3 is not advertised")
			if n := s.client.hub.Stats().Publications; n != 0 {
				s.Error(n)
			}
		})
	}
}

// TestWrongPublications: each error names the channel or topic, and invalid messages do not reach the network.
func TestWrongPublications(t *testing.T) {
	inScene(t, func(s *scene) {
		heard := s.strings("/a")
		s.say(`{"op":"advertise","channels":[
			{"id":1,"topic":"a","encoding":"protobuf","schemaName":"std_msgs/String"},
			{"id":1,"topic":"a","encoding":"json","schemaName":"no/Such"},
			{"id":1,"topic":"/a b","encoding":"json","schemaName":"std_msgs/String"},
			{"id":1,"topic":"","encoding":"json","schemaName":"std_msgs/String"},
			{"id":1,"topic":"a","encoding":"json","schemaName":"std_msgs/String"},
			{"id":1,"topic":"b","encoding":"json","schemaName":"std_msgs/String"},
			{"id":2,"topic":"a","encoding":"cdr","schemaName":"std_msgs/String"}]}`)
		for _, want := range []string{
			`advertise a: foxglove: bad message: encoding "protobuf": there are cdr and json`, `advertise a: hub: unknown type: "no/msg/Such"`,
			"advertise /a b: topic", "advertise : topic", "advertise b: foxglove: bad message: channel 1 is there already",
		} {
			s.refused(statusError, want)
		}
		for _, c := range []struct {
			channel       uint32
			payload, want string
		}{
			{1, `{"data":7}`, "channel 1: "}, {1, `{"dat":"x"}`, "dat"}, {1, `{"data":"x"`, "channel 1: "}, {1, "", "channel 1: "},
			{2, "", "channel 2: "}, {2, "\x00\x01\x00\x00", "channel 2: "}, {2, "\x00\x01\x00\x00\x03\x00\x00\x00hi", "channel 2: "},
			{2, "\x00\x07\x00\x00\x03\x00\x00\x00hi\x00", "channel 2: "}, {7, "{}", "channel 7 is not advertised"},
		} {
			s.publish(c.channel, c.payload)
			s.refused(statusError, c.want)
		}
		select {
		case got := <-heard:
			s.Errorf("the network hears %q", got)
		default:
		}
	})
}

func TestPublicationsAreBounded(t *testing.T) {
	inScene(t, func(s *scene) {
		const one = `{"op":"advertise","channels":[{"id":%d,"topic":"/t","encoding":"json","schemaName":"std_msgs/Empty"}]}`
		for i := range maxPublications {
			s.say(one, i)
		}
		s.say(one, maxPublications)
		s.refused(statusError, "more than 100 channels")
		s.say(`{"op":"unadvertise","channelIds":[5]}`)
		s.say(one, maxPublications)
		s.quiet("one was released")
	})
}

// TestViewersCannotChangeAnything: every message that changes something is refused with one sentence.
func TestViewersCannotChangeAnything(t *testing.T) {
	inScene(t, func(s *scene) {
		for _, say := range []string{
			`{"op":"advertise","channels":[{"id":1,"topic":"/x","encoding":"json","schemaName":"std_msgs/String"}]}`,
			`{"op":"setParameters","parameters":[{"name":"/robot.use_sim_time","value":true}],"id":"x"}`,
			`{"op":"takeControl","robot":"/r"}`, `{"op":"takeControl","robot":"/r","force":true}`, `{"op":"drive","robot":"/r","v":1,"w":0}`,
		} {
			s.say("%s", say)
			s.refused(statusError, ErrRights.Error())
		}
		s.publish(1, "{}")
		s.refused(statusError, ErrRights.Error())
		s.send([]byte("\x03\x00\x00\x00\x80\x3f\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"))
		s.refused(statusError, ErrRights.Error())
		if got := s.client.hub.Stats(); got.Publications != 0 || got.Published != 0 {
			s.Errorf("%+v", got)
		}
	}, role(guard.View), func(_ *scene, c *Config) { c.Playback = &recording{} })
}

// twists returns the velocities received on a topic, as text.
func (s *scene) twists(topic string) <-chan string {
	s.Helper()
	heard := make(chan string, 100)
	_, err := ros2.NewSubscription(s.robot, topic, ros2.DefaultQoS(), func(m *geometry_msgs.Twist, _ ros2.MessageInfo) {
		heard <- fmt.Sprintf("%g,%g", m.Linear.X, m.Angular.Z)
	})
	s.must(err)
	return heard
}

// heardBy drains a channel on which nothing more is sent.
func heardBy(heard <-chan string) (all []string) {
	for {
		select {
		case text := <-heard:
			all = append(all, text)
		default:
			return all
		}
	}
}

// TestSpeedsGoThroughTheArbiter: only one client at a time can publish cmd_vel, and the robot stops when its commands
// end.
func TestSpeedsGoThroughTheArbiter(t *testing.T) {
	inScene(t, func(s *scene) {
		heard := s.twists("/r/cmd_vel")
		s.say(`{"op":"advertise","channels":[{"id":1,"topic":"/r/cmd_vel","encoding":"json","schemaName":"geometry_msgs/Twist"}]}`)
		if n := s.client.hub.Stats().Publications; n != 0 {
			s.Error("the topic is published past the arbiter")
		}
		s.publish(1, `{"linear":{"x":0.1},"angular":{"z":-1}}`)
		if held := s.client.server.cfg.Arbiter.State(); len(held) != 1 || held[0].Robot != "/r" || held[0].Driver != s.client.driver {
			s.Errorf("%+v", held)
		}
		s.quiet("no error")
		if got := fmt.Sprint(heardBy(heard)); got != "[0.1,-1 0,0 0,0 0,0]" {
			s.Error("after a minute of silence:", got)
		}
		other := &teleop.Driver{Name: "ben"}
		s.must(s.client.server.cfg.Arbiter.Take("/r", other, true))
		s.publish(1, `{"linear":{"x":0.1}}`)
		s.refused(statusError, "ben drives /r")
		s.say(`{"op":"unadvertise","channelIds":[1]}`) // must not take it from ben
		if held := s.client.server.cfg.Arbiter.State(); len(held) != 1 || held[0].Driver != other {
			s.Errorf("%+v", held)
		}
	})
}

// TestUnadvertiseStops: the robot stops at once when its driver withdraws cmd_vel.
func TestUnadvertiseStops(t *testing.T) {
	inScene(t, func(s *scene) {
		heard := s.twists("/cmd_vel")
		s.say(`{"op":"advertise","channels":[{"id":1,"topic":"cmd_vel","encoding":"json","schemaName":"geometry_msgs/Twist"}]}`)
		s.publish(1, `{"linear":{"x":0.1}}`)
		s.say(`{"op":"unadvertise","channelIds":[1]}`)
		if got := fmt.Sprint(heardBy(heard)); got != "[0.1,0 0,0 0,0 0,0]" {
			s.Error(got)
		}
		if held := s.client.server.cfg.Arbiter.State(); len(held) != 0 {
			s.Errorf("%+v", held)
		}
	})
}

// TestNonFiniteSpeedsAreRefused: JSON can't represent NaN; CDR can, and it must not reach the wheels.
func TestNonFiniteSpeedsAreRefused(t *testing.T) {
	inScene(t, func(s *scene) {
		heard := s.twists("/cmd_vel")
		s.say(`{"op":"advertise","channels":[{"id":1,"topic":"cmd_vel","encoding":"cdr","schemaName":"geometry_msgs/Twist"}]}`)
		nan := "\x00\x01\x00\x00" + "\x00\x00\x00\x00\x00\x00\xf8\x7f"
		for len(nan) < 4+6*8 {
			nan += "\x00"
		}
		s.publish(1, nan)
		s.refused(statusError, teleop.ErrSpeed.Error())
		if got := heardBy(heard); got != nil {
			s.Error(got)
		}
	})
}

// TestDrive: the page's commands are executed in time and rejected late.
func TestDrive(t *testing.T) {
	inScene(t, func(s *scene) {
		heard := s.twists("/r/cmd_vel")
		s.say(`{"op":"drive","robot":"/r","v":0.1,"w":0}`)
		s.refused(statusError, teleop.ErrNotDriver.Error())
		s.say(`{"op":"takeControl","robot":"/r"}`)
		s.say(`{"op":"drive","robot":"/r","v":0.1,"w":0,"t":1000}`)
		time.Sleep(250 * time.Millisecond)
		s.say(`{"op":"drive","robot":"/r","v":0.2,"w":0,"t":1050}`) // 200 ms late, which is not too late
		time.Sleep(250 * time.Millisecond)
		s.say(`{"op":"drive","robot":"/r","v":0.3,"w":0,"t":1100}`) // 400 ms late
		s.refused(statusError, "the command came too late: by 400ms")
		s.say(`{"op":"drive","robot":"/r","v":0.4,"w":0,"t":1150}`) // a second late command is not reported
		s.say(`{"op":"drive","robot":"/r","v":0,"w":0,"t":1160}`)   // a stop is never too late and resets the delay
		s.say(`{"op":"drive","robot":"/r","v":0.5,"w":0,"t":1170}`)
		s.say(`{"op":"drive","robot":"/r","v":0,"w":0}`)
		s.quiet("after one report")
		if got := fmt.Sprint(heardBy(heard)); got != "[0.1,0 0.2,0 0,0 0.5,0 0,0 0,0 0,0]" {
			s.Error(got)
		}
	})
}

// TestInvalidPageTimesAreIgnored: a command without a time, or with an impossible one, is executed on arrival.
func TestInvalidPageTimesAreIgnored(t *testing.T) {
	inScene(t, func(s *scene) {
		s.must(s.client.punctual(1000, false))
		time.Sleep(time.Hour)
		for _, sent := range []float64{0, -5, maxSent, 1e300} {
			if err := s.client.punctual(sent, false); err != nil {
				s.Errorf("%g: %v", sent, err)
			}
		}
		if err := s.client.punctual(1001, false); err == nil {
			s.Error("an hour late is not late")
		}
	})
}

// TestControl: changes of the driver are sent to pages, marked for the page that drives.
func TestControl(t *testing.T) {
	inScene(t, func(s *scene) {
		control := func() string { return fmt.Sprint(s.hear("control")["robots"]) }
		send := func() { s.must(s.client.sendControl(nil)) }
		s.client.driver.Name = "anna"
		send()
		if got := control(); got != "[]" {
			s.Error(got)
		}
		s.say(`{"op":"takeControl","robot":"/b"}`)
		s.must(s.client.server.cfg.Arbiter.Take("/a", &teleop.Driver{Name: "ben"}, false))
		send()
		if got := control(); got != "[map[driver:ben robot:/a you:false] map[driver:anna robot:/b you:true]]" {
			s.Error(got)
		}
		send()
		s.say(`{"op":"takeControl","robot":"/a"}`)
		s.refused(statusError, "ben drives /a")
		s.say(`{"op":"releaseControl","robot":"/a"}`) // not hers
		s.say(`{"op":"takeControl","robot":"/b","force":true}`)
		send()
		s.quiet("nothing has changed")
		s.say(`{"op":"takeControl","robot":"/a","force":true}`)
		s.say(`{"op":"releaseControl","robot":"/b"}`)
		send()
		if got := control(); got != "[map[driver:anna robot:/a you:true]]" {
			s.Error(got)
		}
	})
	inScene(t, func(s *scene) {
		s.must(s.client.sendControl(nil))
		s.quiet("Foxglove knows no such message")
	}, plain)
}

// TestInvalidRobotNamesAreRefused: names that are no namespace are not driven.
func TestInvalidRobotNamesAreRefused(t *testing.T) {
	inScene(t, func(s *scene) {
		for _, robot := range []string{"", "r", "/r/", "/a b", "/a//b", "/1", "/ä"} {
			s.say(`{"op":"takeControl","robot":%q}`, robot)
			s.refused(statusError, "bad message: robot")
		}
	})
}

// TestTakeReportsPublisherError: the reason is sent, and no viewer drives.
func TestTakeReportsPublisherError(t *testing.T) {
	inScene(t, func(s *scene) {
		s.say(`{"op":"takeControl","robot":"/r"}`)
		s.refused(statusError, "no publisher for /r")
		if held := s.client.server.cfg.Arbiter.State(); len(held) != 0 {
			s.Errorf("%+v", held)
		}
	}, func(s *scene, _ *Config) {
		s.wheels.Open = func(robot string) (teleop.VelocityPublisher, error) {
			return nil, fmt.Errorf("no publisher for %s", robot)
		}
	})
}
