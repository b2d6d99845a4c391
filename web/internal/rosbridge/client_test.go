// SPDX-License-Identifier: Apache-2.0

package rosbridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/web/guard"
	"github.com/epuck-ros2/epuck-driver/web/internal/hub"
	"github.com/epuck-ros2/epuck-driver/web/internal/outbox"
	"github.com/epuck-ros2/epuck-driver/web/internal/rosjson"
	"github.com/epuck-ros2/epuck-driver/web/internal/teleop"
)

// scene is a client without a socket, on a network with the node /robot, in a synctest bubble.
type scene struct {
	*testing.T
	client *client
	robot  *ros2.Node
	parts  []outbox.Frame // of a frame that is split, not yet taken
}

func inScene(t *testing.T, role guard.Role, test func(s *scene)) {
	synctest.Test(t, func(t *testing.T) {
		ether := ros2test.NewNetwork()
		s := &scene{T: t}
		var err error
		s.robot, err = ros2.NewNode(ros2.NodeConfig{Name: "robot", Transport: ether.NewTransport(), Standard: true})
		s.must(err)
		h, err := hub.New(hub.Config{
			Transport: ether.NewTransport(), Node: ros2.NodeName{Namespace: "/", Name: "_hub"}, Types: msgs.Definition,
		})
		s.must(err)
		who := teleop.New(teleop.Config{Open: teleop.OnHub(h)})
		ctx, cancel := context.WithCancel(t.Context())
		s.client = newFuzzed(ctx, h, who)
		s.client.role = role
		test(s)
		cancel()
		s.client.end()
		who.Close()
		s.must(errors.Join(h.Close(), s.robot.Close()))
	})
}

func (s *scene) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// say sends a JSON message of the client.
func (s *scene) say(format string, args ...any) {
	s.Helper()
	s.must(s.client.handle(s.Context(), true, fmt.Appendf(nil, format, args...)))
}

// frame returns the next frame sent to the client; nothing after a minute without one.
func (s *scene) frame() (data []byte, text bool) {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), time.Minute)
	defer cancel()
	for len(s.parts) == 0 {
		frames, err := s.client.box.Next(ctx, nil, 1)
		if errors.Is(err, context.DeadlineExceeded) {
			return nil, false
		}
		s.must(err)
		s.parts = frames
		if f := frames[0]; f.Split != nil {
			s.parts = nil
			for _, part := range f.Split(f.Body) {
				s.parts = append(s.parts, outbox.Frame{Head: part, Text: f.Text})
			}
		}
	}
	f := s.parts[0]
	s.parts = s.parts[1:]
	if f.Convert != nil {
		return f.Convert(f.Body), f.Text
	}
	return append(f.Head, f.Body...), f.Text
}

// hear returns the next message as JSON.
func (s *scene) hear() map[string]any {
	s.Helper()
	data, _ := s.frame()
	if data == nil {
		s.Fatal("nothing comes")
	}
	var m map[string]any
	s.must(json.Unmarshal(data, &m))
	return m
}

// refused expects an error status that contains a text and has the request's id.
func (s *scene) refused(text string) {
	s.Helper()
	m := s.hear()
	if message, _ := m["msg"].(string); m["op"] != "status" || m["level"] != "error" || !strings.Contains(message, text) {
		s.Errorf("%v, want an error with %q", m, text)
	}
}

// call calls a service and returns its values, and whether it succeeded.
func (s *scene) call(service, args string) (values any, ok bool) {
	s.Helper()
	s.say(`{"op":"call_service","id":"7","service":%q,"args":%s}`, service, args)
	m := s.hear()
	if m["op"] != "service_response" || m["id"] != "7" || m["service"] != service {
		s.Fatalf("%v", m)
	}
	return m["values"], m["result"] == true
}

func TestSubscribe(t *testing.T) {
	inScene(t, guard.View, func(s *scene) {
		pub, err := ros2.NewPublisher[std_msgs.String](s.robot, "chatter", ros2.DefaultQoS())
		s.must(err)
		s.say(`{"op":"subscribe","topic":"chatter"}`) // without type and slash
		s.must(pub.Publish(&std_msgs.String{Data: `a "b"`}))
		if data, text := s.frame(); !text || string(data) != `{"op":"publish","topic":"/chatter","msg":{"data":"a \"b\""}}` {
			s.Errorf("%s", data)
		}
		s.say(`{"op":"unsubscribe","topic":"/chatter"}`)
		s.must(pub.Publish(&std_msgs.String{Data: "unheard"}))
		if data, _ := s.frame(); data != nil {
			s.Errorf("after unsubscribe: %s", data)
		}
	})
}

func TestSubscriptionsByID(t *testing.T) {
	inScene(t, guard.View, func(s *scene) {
		pub, err := ros2.NewPublisher[std_msgs.String](s.robot, "chatter", ros2.DefaultQoS())
		s.must(err)
		for _, id := range []string{"a", "b", "b"} { // the same id again replaces its subscription
			s.say(`{"op":"subscribe","topic":"/chatter","id":%q}`, id)
		}
		count := func() (n int) {
			s.must(pub.Publish(&std_msgs.String{}))
			for {
				if data, _ := s.frame(); data == nil {
					return n
				}
				n++
			}
		}
		if n := count(); n != 1 { // clients deliver a message to all who listen to the topic
			s.Errorf("two ids hear %d messages", n)
		}
		s.say(`{"op":"unsubscribe","topic":"/chatter","id":"a"}`)
		if n := count(); n != 1 {
			s.Errorf("one id hears %d messages", n)
		}
		s.say(`{"op":"unsubscribe","topic":"/chatter"}`)
		if n := count(); n != 0 {
			s.Errorf("none hears %d messages", n)
		}
	})
}

func TestPublish(t *testing.T) {
	inScene(t, guard.Drive, func(s *scene) {
		heard := make(chan std_msgs.Header, 10)
		_, err := ros2.NewSubscription[std_msgs.Header](s.robot, "h", ros2.DefaultQoS(), func(m *std_msgs.Header, _ ros2.MessageInfo) { heard <- *m })
		s.must(err)
		s.say(`{"op":"publish","topic":"h","msg":{"frame_id":"map"}}`) // advertised, too
		if m := <-heard; m.FrameID != "map" {
			s.Errorf("%+v", m)
		}
		s.say(`{"op":"publish","topic":"h"}`)
		if m := <-heard; m.FrameID != "" {
			s.Errorf("without msg: %+v", m)
		}
		s.say(`{"op":"unadvertise","topic":"/h"}`)
		s.say(`{"op":"unadvertise","topic":"/h"}`)
		if n := s.client.hub.Stats().Publications; n != 0 {
			s.Errorf("%d publications after unadvertise", n)
		}
		s.say(`{"op":"publish","topic":"h","msg":{"frame":"map"}}`)
		s.refused("frame")
	})
}

// A header without a stamp gets the time, one with a stamp keeps it.
func TestPublishStamps(t *testing.T) {
	inScene(t, guard.Drive, func(s *scene) {
		typ, err := s.client.hub.Known("geometry_msgs/msg/TwistStamped")
		s.must(err)
		for text, want := range map[string]bool{`{}`: true, `{"header":{}}`: true, `{"header":{"stamp":{"sec":5}}}`: false} {
			m, err := arguments(typ, []byte(text))
			s.must(err)
			s.must(stamp(m, []byte(text)))
			got := string(rosjson.Append(nil, m))
			if now := strings.Contains(got, fmt.Sprintf(`"sec":%d,`, time.Now().Unix())); now != want {
				s.Errorf("%s: the stamp is the time: %v; %s", text, now, got)
			}
		}
	})
}

func TestRefusals(t *testing.T) {
	inScene(t, guard.Drive, func(s *scene) {
		for _, c := range []struct{ say, want string }{
			{`{`, "unexpected end"}, {`[]`, "cannot unmarshal"}, {`{"op":"fly"}`, `op "fly"`}, {`{}`, `op ""`},
			{`{"op":"subscribe","topic":"/none"}`, "not there yet"},
			{`{"op":"subscribe","topic":"/none","type":"no/Such"}`, "not there yet"},
			{`{"op":"advertise","topic":"/a b","type":"std_msgs/String"}`, "topic"},
			{`{"op":"advertise","topic":"/x"}`, "not there yet"},
		} {
			s.say("%s", c.say)
			s.refused(c.want)
		}
		for _, silent := range []string{`{"op":"set_level"}`, `{"op":"auth"}`, `{"op":"status"}`} {
			s.say("%s", silent)
		}
		if data, _ := s.frame(); data != nil {
			s.Errorf("an answer to what needs none: %s", data)
		}
		if err := s.client.handle(s.Context(), false, []byte("\x16\x00\x00\x00\x02op\x00\x07\x00\x00\x00status\x00\x00")); err != nil {
			s.Error(err)
		}
		s.refused("BSON")
		if err := s.client.handle(s.Context(), false, []byte(`{"op":"fly"}`)); err != nil { // rosbridge_suite reads it, too
			s.Error(err)
		}
		s.refused(`op "fly"`)
	})
}

func TestViewersCannotChangeAnything(t *testing.T) {
	inScene(t, guard.View, func(s *scene) {
		_, err := ros2.NewService(s.robot, std_srvs.Trigger{}, "reset",
			func(context.Context, *std_srvs.TriggerRequest) (*std_srvs.TriggerResponse, error) {
				s.Error("it was called")
				return &std_srvs.TriggerResponse{}, nil
			})
		s.must(err)
		for _, say := range []string{
			`{"op":"advertise","topic":"/cmd_vel","type":"geometry_msgs/Twist"}`,
			`{"op":"publish","topic":"/x","type":"std_msgs/String"}`,
			`{"op":"advertise_service","service":"/x","type":"std_srvs/Trigger"}`,
		} {
			s.say("%s", say)
			s.refused(ErrRights.Error())
		}
		for _, c := range []struct{ service, args string }{
			{"/reset", "{}"}, {"/rosapi/set_param", `{"name":"/robot:use_sim_time","value":"true"}`},
			{"/rosapi/delete_param", `{"name":"/robot:use_sim_time"}`},
		} {
			if values, ok := s.call(c.service, c.args); ok || !strings.Contains(fmt.Sprint(values), ErrRights.Error()) {
				s.Errorf("%s: %v, %v", c.service, values, ok)
			}
		}
	})
}

func TestTopicsAreBounded(t *testing.T) {
	inScene(t, guard.Drive, func(s *scene) {
		for i := range maxTopics {
			s.say(`{"op":"subscribe","topic":"/t%d","type":"std_msgs/Empty"}`, i)
			s.say(`{"op":"advertise","topic":"/t%d","type":"std_msgs/Empty"}`, i)
		}
		for _, op := range []string{"subscribe", "advertise"} {
			s.say(`{"op":%q,"topic":"/more","type":"std_msgs/Empty"}`, op)
			s.refused("more than 200")
		}
	})
}

func TestClientThatDoesNotReadIsCutOff(t *testing.T) {
	inScene(t, guard.View, func(s *scene) {
		s.client.box = outbox.New(2000)
		for range 100 {
			if err := s.client.handle(s.Context(), true, []byte(`{"op":"fly"}`)); err != nil {
				if !errors.Is(err, outbox.ErrFull) {
					s.Error(err)
				}
				return
			}
		}
		s.Error("a hundred unread answers fit 2000 bytes")
	})
}
