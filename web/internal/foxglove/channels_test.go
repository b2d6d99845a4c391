// SPDX-License-Identifier: Apache-2.0

package foxglove

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/msgs/rosgraph_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/web/guard"
	"github.com/epuck-ros2/epuck-driver/web/internal/hub"
	"github.com/epuck-ros2/epuck-driver/web/internal/outbox"
)

// TestWelcome: serverInfo announces what is available and nothing else; a client shows no panel for the rest.
func TestWelcome(t *testing.T) {
	always := []string{capClientPublish, capParameters, capSubscribe, capServices, capGraph}
	start := time.Unix(7, 9)
	for name, c := range map[string]struct {
		change func(*scene, *Config)
		more   []string
		check  func(s *scene, m map[string]any)
	}{
		"nothing more": {func(*scene, *Config) {}, nil, func(s *scene, m map[string]any) {
			if _, has := m["dataStartTime"]; has || m["name"] != "epuck-driver" {
				s.Errorf("%v", m)
			}
			if meta := m["metadata"].(map[string]any); meta["ROS_DISTRO"] != "jazzy" || meta["live"] != "" || meta["role"] != "drive" {
				s.Errorf("%v", meta)
			}
		}},
		"assets": {func(_ *scene, c *Config) {
			c.Asset = func(string) ([]byte, error) { return nil, ErrAsset }
		}, []string{capAssets}, nil},
		"a recording": {func(_ *scene, c *Config) {
			c.Playback = &recording{state: PlaybackState{Start: start, End: start.Add(time.Second)}}
		}, []string{capPlayback}, func(s *scene, m map[string]any) {
			if got := fmt.Sprint(m["dataStartTime"], m["dataEndTime"]); got != "map[nsec:9 sec:7] map[nsec:9 sec:8]" {
				s.Error(got)
			}
		}},
		"live video of a robot, for a viewer without the right to drive": {func(s *scene, c *Config) {
			c.Live = func(context.Context, string) (string, error) { return "", nil }
			c.LiveRobot, c.Name, c.Distro, c.Domain, s.client.role = "/r", "lab", "kilted", "7", guard.View
		}, nil, func(s *scene, m map[string]any) {
			if got := fmt.Sprintf("%v %v", m["name"], m["metadata"]); got != "lab map[ROS_DISTRO:kilted domain:7 live:/r role:view]" {
				s.Error(got)
			}
		}},
		"a robot's name without video": {func(_ *scene, c *Config) { c.LiveRobot = "/r" }, nil, func(s *scene, m map[string]any) {
			if meta := m["metadata"].(map[string]any); meta["live"] != "" {
				s.Errorf("%v", meta)
			}
		}},
		"a simulation's clock": {func(s *scene, _ *Config) {
			_, err := ros2.NewPublisher[rosgraph_msgs.Clock](s.robot, "/clock", ros2.DefaultQoS())
			s.must(err)
		}, []string{capTime}, nil},
		"a clock that is only listened to": {func(s *scene, _ *Config) {
			_, err := ros2.NewSubscription(s.robot, "/clock", ros2.DefaultQoS(), func(*rosgraph_msgs.Clock, ros2.MessageInfo) {})
			s.must(err)
		}, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			inScene(t, func(s *scene) {
				s.must(s.client.welcome())
				m := s.hear("serverInfo")
				if got, want := fmt.Sprint(m["capabilities"]), fmt.Sprint(append(slices.Clone(always), c.more...)); got != want {
					s.Errorf("capabilities %s, want %s", got, want)
				}
				if got := fmt.Sprint(m["supportedEncodings"]); got != "[cdr json]" {
					s.Error(got)
				}
				if c.check != nil {
					c.check(s, m)
				}
			}, c.change)
		})
	}
}

// TestClockIsSent: each new simulated time is sent once, and no time that the protocol can't represent.
func TestClockIsSent(t *testing.T) {
	inScene(t, func(s *scene) {
		clock, err := ros2.NewPublisher[rosgraph_msgs.Clock](s.robot, "/clock", ros2.DefaultQoS())
		s.must(err)
		s.must(s.client.welcome())
		s.hear("serverInfo")
		tick := func(sec int32, nsec uint32) {
			m := rosgraph_msgs.Clock{}
			m.Clock.Sec, m.Clock.Nanosec = sec, nsec
			s.must(clock.Publish(&m))
		}
		tick(1, 2)
		if got := fmt.Sprintf("%x", s.binary()); got != "02"+"02ca9a3b00000000" { // 1 000 000 002 ns
			s.Error(got)
		}
		tick(1, 2)
		s.quiet("the same time again")
		tick(-1, 0)
		s.quiet("a time before the epoch")
		tick(0, 5) // a simulation that begins anew
		if got := fmt.Sprintf("%x", s.binary()); got != "02"+"0500000000000000" {
			s.Error(got)
		}
	})
}

// TestChannelsFollowPublishers: a topic is a channel while it has a publisher; it keeps its id when it returns, and no
// other layout or name gets that id.
func TestChannelsFollowPublishers(t *testing.T) {
	inScene(t, func(s *scene) {
		_, err := ros2.NewSubscription(s.robot, "listener", ros2.DefaultQoS(), func(*std_msgs.String, ros2.MessageInfo) {})
		s.must(err)
		pub, err := ros2.NewPublisher[std_msgs.String](s.robot, "chatter", ros2.DefaultQoS())
		s.must(err)
		s.withNews()
		advertised := map[string]map[string]any{}
		for _, c := range list(s.hear("advertise"), "channels") {
			advertised[c["topic"].(string)] = c
		}
		s.hear("advertiseServices")
		if advertised["/listener"] != nil {
			s.Error("a topic without publisher is advertised")
		}
		chatter := advertised["/chatter"]
		got := fmt.Sprintln(chatter["encoding"], chatter["schemaName"], chatter["schemaEncoding"], chatter["schema"])
		if strings.TrimSpace(got) != "cdr std_msgs/msg/String ros2msg string data" {
			s.Errorf("%q", got)
		}
		s.must(pub.Close())
		if got := s.hear("unadvertise")["channelIds"]; fmt.Sprint(got) != fmt.Sprint([]any{chatter["id"]}) {
			s.Error(got)
		}
		_, err = ros2.NewPublisher[std_msgs.String](s.robot, "chatter", ros2.DefaultQoS())
		s.must(err)
		again := list(s.hear("advertise"), "channels")
		if len(again) != 1 || again[0]["id"] != chatter["id"] {
			s.Errorf("%v, want %v again", again, chatter["id"])
		}
		_, err = ros2.NewPublisher[std_msgs.Bool](s.robot, "chatter", ros2.DefaultQoS())
		s.must(err)
		second := list(s.hear("advertise"), "channels")
		if len(second) != 1 || second[0]["id"] == chatter["id"] || second[0]["schemaName"] != "std_msgs/msg/Bool" {
			s.Errorf("another type of the name: %v", second)
		}
		s.quiet("nothing changes")
	}, plain)
}

// TestServicesFollowServers: request and response have their own schemas.
func TestServicesFollowServers(t *testing.T) {
	inScene(t, func(s *scene) {
		s.met()
		srv, err := ros2.NewService(s.robot, std_srvs.SetBool{}, "switch",
			func(context.Context, *std_srvs.SetBoolRequest) (*std_srvs.SetBoolResponse, error) {
				return &std_srvs.SetBoolResponse{}, nil
			})
		s.must(err)
		s.withNews()
		advertised := list(s.hear("advertiseServices"), "services")
		if len(advertised) != 1 || advertised[0]["name"] != "/switch" || advertised[0]["type"] != "std_srvs/srv/SetBool" {
			s.Fatalf("%v", advertised)
		}
		for half, want := range map[string]string{"request": "bool data", "response": "bool success\nstring message"} {
			h := advertised[0][half].(map[string]any)
			name := map[string]string{"request": "std_srvs/srv/SetBool_Request", "response": "std_srvs/srv/SetBool_Response"}[half]
			if strings.TrimSpace(h["schema"].(string)) != want || h["schemaName"] != name || h["encoding"] != "cdr" ||
				h["schemaEncoding"] != "ros2msg" {
				s.Errorf("%s: %v", half, h)
			}
		}
		s.must(srv.Close())
		if got := s.hear("unadvertiseServices")["serviceIds"]; fmt.Sprint(got) != fmt.Sprint([]any{advertised[0]["id"]}) {
			s.Error(got)
		}
	}, plain)
}

// TestUnknownTypesAreNotAdvertised: topics without a known type are no channels, which is reported once for each type.
func TestUnknownTypesAreNotAdvertised(t *testing.T) {
	inScene(t, func(s *scene) {
		s.met()
		g := hub.Graph{
			Topics:   []hub.Topic{{Name: "/x", Type: "no/msg/Such", Publishers: []string{"/n"}}},
			Services: []hub.Service{{Name: "/y", Type: "no/srv/Such", Nodes: []string{"/n"}}},
		}
		s.client.channels, s.client.services = nil, nil
		s.must(errors.Join(s.client.sendChannels(&g), s.client.sendServices(&g)))
		if got := s.hear("status"); got["level"] != 1.0 || !strings.Contains(fmt.Sprint(got["message"]), "topic /x cannot be shown") {
			s.Errorf("%v", got)
		}
		s.must(s.client.sendChannels(&g))
		s.quiet("unknown types")
	})
}

// TestFullQueueEndsConnection: the box of a client that does not read is closed, which ends its connection.
func TestFullQueueEndsConnection(t *testing.T) {
	inScene(t, func(s *scene) {
		s.must(s.client.box.Answer(outbox.Frame{Head: []byte("unread")}))
		s.withNews()
		synctest.Wait()
		if err := s.client.box.Answer(outbox.Frame{}); !errors.Is(err, outbox.ErrClosed) {
			s.Error(err)
		}
	}, tight)
}

// TestIDBook compares ids with a list: a key keeps its id, ids begin at 1 and are used once.
func TestIDBook(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var book idBook
		var order []string // its index + 1 is the number
		for range rapid.IntRange(0, 40).Draw(t, "calls") {
			key := rapid.SampledFrom([]string{"", "a", "b", "c", "topic /a x", "service /a x"}).Draw(t, "key")
			if !slices.Contains(order, key) {
				order = append(order, key)
			}
			if got, want := book.id(key), uint32(slices.Index(order, key)+1); got != want {
				t.Fatalf("%q: %d, want %d", key, got, want)
			}
		}
	})
}

func TestMissing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		numbers := rapid.MapOf(rapid.Uint32Range(0, 9), rapid.Bool())
		was, now := numbers.Draw(t, "was"), numbers.Draw(t, "now")
		got := missing(was, now)
		for id := range uint32(10) {
			_, before := was[id]
			_, still := now[id]
			if slices.Contains(got, id) != (before && !still) {
				t.Fatalf("%d of %v, now %v: %v", id, was, now, got)
			}
		}
		if unique := slices.Compact(slices.Sorted(slices.Values(got))); len(unique) != len(got) {
			t.Fatal(got)
		}
	})
}
