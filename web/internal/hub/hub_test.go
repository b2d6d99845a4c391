// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

func TestConfigNeedsItsFields(t *testing.T) {
	whole := Config{Transport: ros2test.NewTransport(), Node: hubName, Types: msgs.Definition}
	for name, change := range map[string]func(*Config){
		"Transport": func(c *Config) { c.Transport = nil },
		"Types":     func(c *Config) { c.Types = nil },
		"Node":      func(c *Config) { c.Node = ros2.NodeName{} },
	} {
		cfg := whole
		change(&cfg)
		if _, err := New(cfg); !errors.Is(err, ErrConfig) {
			t.Errorf("without %s: %v", name, err)
		}
	}
	if nodes := whole.Transport.Graph().Nodes; len(nodes) != 0 {
		t.Errorf("a hub that was not made left %v", nodes)
	}
}

func TestTransportThatIsClosed(t *testing.T) {
	transport := ros2test.NewTransport()
	if err := transport.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := New(Config{Transport: transport, Node: hubName, Types: msgs.Definition}); err == nil {
		t.Error("a hub on a closed transport")
	}
}

func TestClosedHubRefuses(t *testing.T) {
	inScene(t, func(s *scene) {
		p, err := s.hub.Advertise("/out", "std_msgs/msg/String")
		s.must(err)
		_, cancel := s.subscribe("/in")
		s.must(s.hub.Close())
		s.must(s.hub.Close())
		cancel()
		p.Close()
		if _, err := s.hub.Subscribe("/in", "std_msgs/msg/String", func(*Message) {}); !errors.Is(err, ErrClosed) {
			t.Errorf("Subscribe: %v", err)
		}
		if _, err := s.hub.Advertise("/out", "std_msgs/msg/String"); !errors.Is(err, ErrClosed) {
			t.Errorf("Advertise: %v", err)
		}
		if _, err := s.hub.borrow("/service", "std_srvs/srv/Trigger"); !errors.Is(err, ErrClosed) {
			t.Errorf("borrow: %v", err)
		}
		if g := s.ether.NewTransport().Graph(); len(g.Endpoints) != 0 || slices.Contains(g.Nodes, hubName) {
			t.Errorf("it left %v, %v", g.Nodes, g.Endpoints)
		}
	})
}

func TestGraphOmitsHiddenNames(t *testing.T) {
	inScene(t, func(s *scene) {
		s.talker("/b", ros2.DefaultQoS())
		s.talker("/a", ros2.DefaultQoS())
		s.talker("/_hidden", ros2.DefaultQoS())
		s.talker("/ns/_hidden/x", ros2.DefaultQoS())
		_, cancel := s.subscribe("/a")
		defer cancel()
		hidden, err := ros2.NewNode(ros2.NodeConfig{Name: "_daemon", Transport: s.ether.NewTransport()})
		s.must(err)
		defer hidden.Close()

		g := s.hub.Graph()
		var names []string
		for _, topic := range g.Topics {
			names = append(names, topic.Name)
		}
		if want := []string{"/a", "/b"}; !slices.Equal(names, want) {
			t.Errorf("topics %q, want %q", names, want)
		}
		if want := []string{"/robot", "/web"}; !slices.Equal(g.Nodes, want) {
			t.Errorf("nodes %q, want %q", g.Nodes, want)
		}
		a, ok := g.Topic("/a")
		if !ok || !slices.Equal(a.Publishers, []string{"/robot"}) || !slices.Equal(a.Subscribers, []string{"/web"}) || a.Hash == "" {
			t.Errorf("%+v", a)
		}
		if _, ok := g.Topic("/none"); ok {
			t.Error("a topic that is not there")
		}
		if _, ok := g.Service("/none"); ok {
			t.Error("a service that is not there")
		}
	})
}

func TestTopicOfSeveralTypesIsTheBusiest(t *testing.T) {
	g := Graph{Topics: []Topic{
		{Name: "/x", Type: "a/msg/A", Publishers: []string{"/1"}},
		{Name: "/x", Type: "b/msg/B", Publishers: []string{"/1"}, Subscribers: []string{"/2"}},
		{Name: "/x", Type: "c/msg/C", Subscribers: []string{"/3"}},
	}}
	if got, ok := g.Topic("/x"); !ok || got.Type != "b/msg/B" {
		t.Errorf("%+v", got)
	}
}

func TestInsertKeepsAListSorted(t *testing.T) {
	var list []string
	for _, name := range []string{"b", "a", "c", "b", "a"} {
		list = insert(list, name)
	}
	if want := []string{"a", "b", "c"}; !slices.Equal(list, want) {
		t.Errorf("%q", list)
	}
}

// Changes at the same time are notified once, and none after cancel.
func TestWatchersAreNotifiedOfChanges(t *testing.T) {
	inScene(t, func(s *scene) {
		notified := make(chan struct{}, 100)
		cancel := s.hub.Watch(func() { notified <- struct{}{} })
		time.Sleep(time.Second) // earlier changes
		synctest.Wait()
		for len(notified) > 0 {
			<-notified
		}
		for _, topic := range []string{"/a", "/b", "/c"} {
			s.talker(topic, ros2.DefaultQoS())
		}
		time.Sleep(settleTime + time.Millisecond)
		synctest.Wait()
		if n := len(notified); n != 1 {
			t.Errorf("notified %d times of three simultaneous changes", n)
		}
		cancel()
		s.talker("/d", ros2.DefaultQoS())
		time.Sleep(time.Second)
		synctest.Wait()
		if n := len(notified); n > 1 {
			t.Error("notified after cancel")
		}
	})
}
