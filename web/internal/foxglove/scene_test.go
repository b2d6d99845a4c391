// SPDX-License-Identifier: Apache-2.0

package foxglove

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/web/guard"
	"github.com/epuck-ros2/epuck-driver/web/internal/hub"
	"github.com/epuck-ros2/epuck-driver/web/internal/outbox"
	"github.com/epuck-ros2/epuck-driver/web/internal/teleop"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

// scene is a client without a socket, on a network with the node /robot, in a synctest bubble. The client receives
// changes of the network while the test waits for a message.
type scene struct {
	*testing.T
	network *ros2test.Network
	client  *client
	robot   *ros2.Node
	wheels  teleop.Config // how publishers are opened; the hub's by default
}

// role is the option of a scene that sets the client's role; the default is Drive.
func role(r guard.Role) func(*scene, *Config) { return func(s *scene, _ *Config) { s.client.role = r } }

// plain is the option of a scene for a client of Foxglove, without the page's messages.
func plain(s *scene, _ *Config) { s.client.page = false }

func inScene(t *testing.T, test func(s *scene), changes ...func(*scene, *Config)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &scene{T: t, network: ros2test.NewNetwork()}
		var err error
		s.robot, err = ros2.NewNode(ros2.NodeConfig{Name: "robot", Transport: s.network.NewTransport(), Standard: true})
		s.must(err)
		h, err := hub.New(hub.Config{
			Transport: s.network.NewTransport(), Node: ros2.NodeName{Namespace: "/", Name: "_hub"}, Types: msgs.Definition,
		})
		s.must(err)
		ctx, cancel := context.WithCancel(t.Context())
		s.client = newFuzzed(ctx, h, nil)
		cfg := Config{Hub: h}
		for _, change := range changes {
			change(s, &cfg)
		}
		if s.wheels.Open == nil {
			s.wheels.Open = teleop.OnHub(h)
		}
		cfg.Arbiter = teleop.New(s.wheels)
		s.client.server, err = New(cfg)
		s.must(err)
		s.client.begun = time.Now()
		stopGraph, stopArbiter := h.Watch(s.client.wake), cfg.Arbiter.Watch(s.client.wake)
		defer func() { // also when the test gives up: what the bubble holds must end
			cancel()
			stopGraph()
			stopArbiter()
			s.client.end()
			cfg.Arbiter.Close()
			if err := errors.Join(h.Close(), s.robot.Close()); err != nil {
				s.Error(err)
			}
		}()
		test(s)
	})
}

// withNews starts the goroutine that sends changes of the network to the client, as Serve does, and wakes it.
func (s *scene) withNews() {
	s.client.wg.Go("news", s.client.sendChanges)
	s.client.wake()
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

// send sends a binary message of the client.
func (s *scene) send(data []byte) {
	s.Helper()
	s.must(s.client.handle(s.Context(), false, data))
}

// frame returns the next frame sent to the client; nothing after a minute without one.
func (s *scene) frame() (data []byte, text bool) {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), time.Minute)
	defer cancel()
	frames, err := s.client.box.Next(ctx, nil, 1)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, false
	}
	s.must(err)
	f := frames[0]
	return append(append([]byte(nil), f.Head...), f.Body...), f.Text
}

// hear returns the next message as JSON; it must have that op.
func (s *scene) hear(op string) map[string]any {
	s.Helper()
	data, text := s.frame()
	if data == nil || !text {
		s.Fatalf("%q comes, want %s", data, op)
	}
	var m map[string]any
	s.must(json.Unmarshal(data, &m))
	if m["op"] != op {
		s.Fatalf("%s, want %s", data, op)
	}
	return m
}

// binary returns the next message, which must be binary.
func (s *scene) binary() []byte {
	s.Helper()
	data, text := s.frame()
	if data == nil || text {
		s.Fatalf("%q comes, want a binary message", data)
	}
	return data
}

// quiet expects a minute without a message.
func (s *scene) quiet(when string) {
	s.Helper()
	if data, _ := s.frame(); data != nil {
		s.Errorf("%s: %q", when, data)
	}
}

// refused expects a status message of a level that contains a text.
func (s *scene) refused(level int, text string) {
	s.Helper()
	m := s.hear("status")
	if message, _ := m["message"].(string); m["level"] != float64(level) || !strings.Contains(message, text) {
		s.Errorf("%v, want level %d with %q", m, level, text)
	}
}

// channels returns the ids of the topics advertised to the client, by name.
func (s *scene) channels() map[string]uint32 {
	s.client.mu.Lock()
	defer s.client.mu.Unlock()
	ids := map[string]uint32{}
	for id, t := range s.client.channels {
		ids[t.Name] = id
	}
	return ids
}

// service returns the id of a service advertised to the client.
func (s *scene) service(name string) uint32 {
	s.Helper()
	s.client.mu.Lock()
	defer s.client.mu.Unlock()
	for id, v := range s.client.services {
		if v.Name == name {
			return id
		}
	}
	s.Fatalf("no service %s: %v", name, s.client.services)
	return 0
}

// met sends the state of the network to the client once, without a goroutine, and discards the messages.
func (s *scene) met() {
	s.Helper()
	g := s.client.hub.Graph()
	s.must(errors.Join(s.client.sendChannels(&g), s.client.sendServices(&g)))
	for s.client.box.Stats().Bytes > 0 {
		s.frame()
	}
}

// list returns a field of a message as objects.
func list(m map[string]any, field string) (out []map[string]any) {
	all, _ := m[field].([]any)
	for _, v := range all {
		out = append(out, v.(map[string]any))
	}
	return out
}

// tight is the option of a scene whose client has a queue of one answer.
func tight(s *scene, _ *Config) { s.client.box = outbox.New(1) }
