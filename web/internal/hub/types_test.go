// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

const chatType = "std_msgs/msg/String"

func TestKnownTypes(t *testing.T) {
	inScene(t, func(s *scene) {
		typ, err := s.hub.Known(chatType)
		if err != nil || typ.Name != chatType {
			t.Errorf("%v, %v", typ, err)
		}
		if again, _ := s.hub.Known(chatType); again != typ {
			t.Error("a type is resolved twice")
		}
		for _, name := range []string{"", "String", "no_such/msg/Type", "std_msgs/msg/"} {
			if _, err := s.hub.Known(name); !errors.Is(err, ErrUnknownType) {
				t.Errorf("%q: %v", name, err)
			}
		}
	})
}

func TestTypesOfThisProgramAskNoNode(t *testing.T) {
	inScene(t, func(s *scene) {
		known, hash := s.hub.types.known(msgs.Definition, chatType)
		for _, notified := range []string{"", hash} {
			typ, ok := s.hub.Type(Topic{Name: "/x", Type: chatType, Hash: notified, Publishers: []string{"/robot"}})
			if !ok || typ != known {
				t.Errorf("with hash %q: %v, %v", notified, typ, ok)
			}
		}
		if _, ok := s.hub.Type(Topic{Name: "/x", Type: "no_such/msg/Type"}); ok {
			t.Error("a type that neither this program nor a hash identifies")
		}
		if len(s.hub.types.asked) != 0 {
			t.Errorf("nodes were asked: %v", s.hub.types.asked)
		}
	})
}

// forget replaces the hub by one whose program knows only the types that a query for types needs.
func forget(s *scene, unknown string) {
	s.hub.cfg.Types = func(name string) (string, bool) {
		if name == unknown {
			return "", false
		}
		return msgs.Definition(name)
	}
}

// A type that this program does not know is described by a node of its topic.
func TestNodesDescribeTheirTypes(t *testing.T) {
	inScene(t, func(s *scene) {
		describing, err := ros2.NewNode(ros2.NodeConfig{Name: "describing", Transport: s.ether.NewTransport(), Standard: true})
		s.must(err)
		defer describing.Close()
		_, err = ros2.NewPublisher[std_msgs.String](describing, "/chat", ros2.DefaultQoS())
		s.must(err)
		forget(s, chatType)
		g := s.hub.Graph()
		topic, ok := g.Topic("/chat")
		if !ok {
			t.Fatal("no topic")
		}
		time.Sleep(2 * settleTime) // pending notifications are delivered
		synctest.Wait()
		notified := make(chan struct{}, 10)
		cancel := s.hub.Watch(func() { notified <- struct{}{} })
		defer cancel()
		if typ, ok := s.hub.Type(topic); ok {
			t.Fatalf("known before it was asked for: %v", typ)
		}
		time.Sleep(describeTime)
		synctest.Wait()
		typ, ok := s.hub.Type(topic)
		if !ok || typ.Name != chatType || typ.Hash() != topic.Hash {
			t.Fatalf("%v, %v", typ, ok)
		}
		if len(notified) == 0 {
			t.Error("watchers are not notified that a type is known")
		}
	})
}

// A node that can't describe its types is queried again after a minute, not at each lookup.
func TestNodesAreNotAskedAllTheTime(t *testing.T) {
	inScene(t, func(s *scene) {
		topic := Topic{Name: "/x", Type: "no_such/msg/Type", Hash: "RIHS01_1", Publishers: []string{"/robot"}}
		key := typeKey{topic.Type, topic.Hash}
		first := time.Now()
		for range 3 {
			if _, ok := s.hub.Type(topic); ok {
				t.Error("it is known")
			}
			time.Sleep(describeAgain/3 - time.Millisecond)
		}
		if got := s.hub.types.asked[key].asked; !got.Equal(first) {
			t.Errorf("asked again after %v", got.Sub(first))
		}
		time.Sleep(time.Second)
		s.hub.Type(topic)
		if got := s.hub.types.asked[key].asked; got.Equal(first) {
			t.Errorf("not asked again after %v", describeAgain)
		}
	})
}

// A description is accepted only if it is that of the requested type.
func TestWrongDescriptionsAreRefused(t *testing.T) {
	inScene(t, func(s *scene) {
		describing, err := ros2.NewNode(ros2.NodeConfig{Name: "describing", Transport: s.ether.NewTransport(), Standard: true})
		s.must(err)
		defer describing.Close()
		_, hash := s.hub.types.known(msgs.Definition, chatType)
		for _, key := range []typeKey{{chatType, "RIHS01_0"}, {"no_such/msg/Type", hash}} {
			if typ, err := s.hub.describe(s.Context(), "/describing"+describeService, key); err == nil {
				t.Errorf("%v is described as %v", key, typ)
			}
		}
		if _, err := s.hub.describe(s.Context(), "/none"+describeService, typeKey{chatType, hash}); !errors.Is(err, ErrNoService) {
			t.Error(err)
		}
	})
}

func TestServiceTypes(t *testing.T) {
	inScene(t, func(s *scene) {
		request, response, ok := s.hub.ServiceType(Service{Name: "/s", Type: setBool})
		if !ok || request.Name != setBool+"_Request" || response.Name != setBool+"_Response" {
			t.Errorf("%v, %v, %v", request, response, ok)
		}
		if _, _, ok := s.hub.ServiceType(Service{Name: "/s", Type: "no_such/srv/Type"}); ok {
			t.Error("a service of an unknown type")
		}
		if _, _, ok := s.hub.ServiceType(Service{Name: "/s", Type: chatType}); ok {
			t.Error("a message is taken for a service")
		}
	})
}

func TestCallMessage(t *testing.T) {
	inScene(t, func(s *scene) {
		s.serve("/switch", 0)
		typ, err := s.hub.Known(setBool + "_Request")
		s.must(err)
		request := dynamic.New(typ)
		s.must(request.Set("data", true))
		response, err := s.hub.CallMessage(s.Context(), "/switch", setBool, request)
		s.must(err)
		if v, ok := response.Get("success"); !ok || v != true {
			t.Errorf("%v, %v", v, ok)
		}
		if _, err := s.hub.CallMessage(s.Context(), "/switch", "no_such/srv/Type", request); !errors.Is(err, ErrUnknownType) {
			t.Error(err)
		}
		if _, err := s.hub.CallMessage(s.Context(), "/none", setBool, request); !errors.Is(err, ErrNoService) {
			t.Error(err)
		}
	})
}
