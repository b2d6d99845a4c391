// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// stranger is a DDS participant with graph endpoints of another ROS version: with the type hash of Iron and later, or
// without one as in Humble.
type stranger struct {
	*rtps.Participant
	graph *rtps.Writer

	mu    sync.Mutex
	heard [][]byte
}

func newStranger(t *testing.T, network udp.Network, userData string) *stranger {
	t.Helper()
	p, err := rtps.NewParticipant(rtps.Config{Network: network})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	s := &stranger{Participant: p}
	qos := ros2.QoS{Durability: ros2.TransientLocal, Depth: 1}
	if s.graph, err = p.NewWriter(rtps.WriterConfig{
		Topic: graphTopic, Type: graphType, UserData: []byte(userData), QoS: toDDS(qos, wire.DefaultWriterQoS()),
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.NewReader(rtps.ReaderConfig{
		Topic: graphTopic, Type: graphType, UserData: []byte(userData), QoS: readerQoS(qos), OnSample: s.take,
	}); err != nil {
		t.Fatal(err)
	}
	return s
}

// take stores received messages.
func (s *stranger) take(sample *rtps.Sample) {
	if sample.Writer.Prefix == s.GUID().Prefix {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard = append(s.heard, bytes.Clone(sample.Payload))
}

// last returns the newest received message, in the expected form.
func (s *stranger) last(t *testing.T, form gidForm) *graphMessage {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.heard) == 0 {
		t.Fatal("received no graph message")
	}
	m, err := parseGraphForm(s.heard[len(s.heard)-1], form)
	if err != nil {
		t.Fatalf("not of the %d-byte form: %v", form, err)
	}
	return m
}

// publishNode publishes a graph message with one node.
func (s *stranger) publishNode(t *testing.T, form gidForm, name string, readers, writers []wire.GUID) {
	t.Helper()
	m := graphMessage{participant: s.GUID(), nodes: []graphNode{{
		name: ros2.NodeName{Namespace: "/", Name: name}, readers: readers, writers: writers,
	}}}
	if err := s.graph.Write(m.append(nil, form)); err != nil {
		t.Fatal(err)
	}
}

const ironUserData = "typehash=" + graphHash + ";"

// One transport publishes to readers of both versions, each in its form; also late ones.
func TestGraphFormIsChosenPerReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := vnet.New(vnet.Config{Seed: 1})
		humble := newStranger(t, net.Host(1), "")
		jazzy := newStranger(t, net.Host(2), ironUserData)
		tr := open(t, net.Host(3))
		n := newNode(t, tr, "n", nil)
		pub := publish(t, n, "x", ros2.DefaultQoS())
		sub, _ := subscribe(t, n, "y", ros2.DefaultQoS())
		settle()
		lateHumble := newStranger(t, net.Host(4), "\x00")
		lateJazzy := newStranger(t, net.Host(5), "clientid= 1.2;"+ironUserData)
		settle()
		_ = sub
		want := &graphMessage{participant: tr.participant.GUID(), nodes: []graphNode{{
			name: n.Name(), readers: []wire.GUID{tr.own.nodes[0].endpoints[1].reader}, writers: []wire.GUID{tr.own.nodes[0].endpoints[0].writer},
		}}}
		for _, c := range []struct {
			name string
			s    *stranger
			form gidForm
		}{
			{"Humble", humble, humbleForm}, {"Jazzy", jazzy, ironForm},
			{"late Humble", lateHumble, humbleForm}, {"late Jazzy", lateJazzy, ironForm},
		} {
			if diff := cmp.Diff(want, c.s.last(t, c.form), cmp.AllowUnexported(graphMessage{}, graphNode{})); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.name, diff)
			}
		}
		pub.Close()
		settle()
		if m := humble.last(t, humbleForm); len(m.nodes[0].writers) != 0 {
			t.Errorf("a closed publisher is still published: %+v", m)
		}
	})
}

// Endpoints created together are published in one message, and so is the removal of a node, however many endpoints it
// has.
func TestClosedNodeIsPublishedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := vnet.New(vnet.Config{Seed: 1})
		s := newStranger(t, net.Host(1), ironUserData)
		n := newNode(t, open(t, net.Host(2)), "n", nil)
		settle()
		for i := range 100 {
			publish(t, n, fmt.Sprint("topic", i), ros2.DefaultQoS())
		}
		settle()
		// The node, its first endpoint, the other 99.
		if m := s.last(t, ironForm); len(s.heard) != 3 || len(m.nodes) != 1 || len(m.nodes[0].writers) != 100 {
			t.Errorf("%d messages, the last %+v", len(s.heard), m)
		}
		before := len(s.heard)
		n.Close()
		settle()
		if m := s.last(t, ironForm); len(s.heard) != before+1 || len(m.nodes) != 0 {
			t.Errorf("%d messages, the last %+v", len(s.heard)-before, m)
		}
	})
}

// Nodes of both versions are in the graph with their endpoints, and disappear with their participant.
func TestGraphOfForeignParticipants(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := vnet.New(vnet.Config{Seed: 1})
		tr := open(t, net.Host(1))
		for i, c := range []struct {
			userData string
			form     gidForm
		}{{"", humbleForm}, {ironUserData, ironForm}} {
			s := newStranger(t, net.Host(byte(2+i)), c.userData)
			reader := func(topic, typ string) wire.GUID {
				r, err := s.NewReader(rtps.ReaderConfig{Topic: topic, Type: typ, QoS: wire.DefaultReaderQoS(), OnSample: func(*rtps.Sample) {}})
				if err != nil {
					t.Fatal(err)
				}
				return r.GUID()
			}
			writer := func(topic, typ string) wire.GUID {
				w, err := s.NewWriter(rtps.WriterConfig{Topic: topic, Type: typ, QoS: wire.DefaultWriterQoS()})
				if err != nil {
					t.Fatal(err)
				}
				return w.GUID()
			}
			const request, reply = "a::srv::dds_::B_Request_", "a::srv::dds_::B_Response_"
			readers := []wire.GUID{reader("rq/serveRequest", request), reader("rr/callReply", reply), reader("rt/odom", "nav_msgs::msg::dds_::Odometry_")}
			writers := []wire.GUID{writer("rr/serveReply", reply), writer("rq/callRequest", request), writer("other", "Shape")}
			s.publishNode(t, c.form, "alien", readers, writers)
			settle()
			g := tr.Graph()
			if len(g.Nodes) != 1 || g.Nodes[0].FullName() != "/alien" {
				t.Fatalf("nodes %+v", g.Nodes)
			}
			var got []string
			for _, e := range g.EndpointsOf(g.Nodes[0]) {
				got = append(got, e.Kind.String()+" "+e.Topic+" "+e.Type)
			}
			want := []string{"client /call a/srv/B", "subscription /odom nav_msgs/msg/Odometry", "service /serve a/srv/B"}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("form %d (-want +got):\n%s", c.form, diff)
			}
			s.Close()
			settle()
			if g := tr.Graph(); len(g.Nodes)+len(g.Endpoints) != 0 {
				t.Errorf("after the stranger left: %+v", g)
			}
		}
	})
}

// Endpoints are in the graph even before, or without, a message with their node.
func TestEndpointWithoutNode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := vnet.New(vnet.Config{Seed: 1})
		tr, s := open(t, net.Host(1)), newStranger(t, net.Host(2), "")
		if _, err := s.NewWriter(rtps.WriterConfig{Topic: "rt/x", Type: "a::msg::dds_::B_", QoS: wire.DefaultWriterQoS()}); err != nil {
			t.Fatal(err)
		}
		settle()
		g := tr.Graph()
		if len(g.Endpoints) != 1 || g.Endpoints[0].Node != (ros2.NodeName{}) || g.Endpoints[0].TypeHash != "" {
			t.Errorf("graph %+v", g)
		}
	})
}

// Invalid names, such as those with terminal escape sequences, are not in the graph; the other nodes of the same
// participant are.
func TestInvalidNamesAreNotInTheGraph(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := vnet.New(vnet.Config{Seed: 1})
		var log diary
		tr, err := New(Config{Network: net.Host(1), Logger: log.logger()})
		if err != nil {
			t.Fatal(err)
		}
		defer tr.Close()
		s := newStranger(t, net.Host(2), "")
		const evil = "\x1b[2J\u202e"
		for topic, typ := range map[string]string{
			"rt/good": "a::msg::dds_::B_", "rt/plain": "HelloWorld", "rt/type": "a::msg::dds_::B" + evil + "_", "rt/type2": "B" + evil,
			"rt/" + evil: "a::msg::dds_::B_", "rq/serve" + evil + "Request": "a::srv::dds_::B_Request_",
		} {
			hash := "typehash=RIHS01_" + strings.Repeat("0", 60) + evil + ";"
			if _, err := s.NewWriter(rtps.WriterConfig{Topic: topic, Type: typ, UserData: []byte(hash), QoS: wire.DefaultWriterQoS()}); err != nil {
				t.Fatal(err)
			}
		}
		m := graphMessage{participant: s.GUID()}
		for _, name := range []ros2.NodeName{{Namespace: "/", Name: "good"}, {Namespace: "", Name: "root"}, {Namespace: "/", Name: evil},
			{Namespace: "/" + evil, Name: "a"}, {Namespace: "/", Name: ""}, {Namespace: "/", Name: "a/b"}, {Namespace: "/a/", Name: "b"}} {
			m.nodes = append(m.nodes, graphNode{name: name})
		}
		if err := s.graph.Write(m.append(nil, humbleForm)); err != nil {
			t.Fatal(err)
		}
		settle()
		var got []string
		g := tr.Graph()
		for _, n := range g.Nodes {
			got = append(got, n.FullName())
		}
		for _, e := range g.Endpoints {
			got = append(got, e.Topic+" "+e.Type+e.TypeHash)
		}
		if diff := cmp.Diff([]string{"/good", "/root", "/good a/msg/B", "/plain HelloWorld"}, got); diff != "" {
			t.Errorf("graph (-want +got):\n%s", diff)
		}
		if got := log.take("invalid name"); len(got) != 1 {
			t.Errorf("log: %q, want one line", got)
		}
	})
}

func TestBrokenGraphMessagesAreIgnoredAndLoggedRarely(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := vnet.New(vnet.Config{Seed: 1})
		var mu sync.Mutex
		var log bytes.Buffer
		tr, err := New(Config{Network: net.Host(1), Logger: slog.New(slog.NewTextHandler(lockedWriter{&mu, &log}, nil))})
		if err != nil {
			t.Fatal(err)
		}
		defer tr.Close()
		s := newStranger(t, net.Host(2), "")
		settle()
		broken := []byte{0, 1, 0, 0, 1, 2, 3, 4}
		for range 5 {
			if err := s.graph.Write(broken); err != nil {
				t.Fatal(err)
			}
		}
		settle()
		s.publishNode(t, ironForm, "well", nil, nil)
		settle()
		if g := tr.Graph(); len(g.Nodes) != 1 {
			t.Errorf("nodes %+v", g.Nodes)
		}
		complaints := func() int {
			mu.Lock()
			defer mu.Unlock()
			return strings.Count(log.String(), "graph message ignored")
		}
		if got := complaints(); got != 1 {
			t.Errorf("%d complaints, want 1", got)
		}
		time.Sleep(rejectedLogPeriod)
		if err := s.graph.Write(broken); err != nil {
			t.Fatal(err)
		}
		settle()
		if got := complaints(); got != 2 {
			t.Errorf("%d complaints later, want 2", got)
		}
	})
}

type lockedWriter struct {
	mu *sync.Mutex
	w  *bytes.Buffer
}

func (l lockedWriter) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(b)
}

// TestGraphCacheIsBounded: a writer with endless participants displaces only its own messages.
func TestGraphCacheIsBounded(t *testing.T) {
	const capacity = 20
	c := graphCache{limit: capacity * (100 + graphOverhead)}
	message := func(i int) *graphMessage { return &graphMessage{participant: wire.GUID{Entity: wire.EntityID(i)}} }
	greedy := wire.GUID{Entity: 7}
	for i := range capacity + 10 {
		if c.put(greedy, message(i), 100) != (i < capacity) {
			t.Fatalf("message %d", i)
		}
	}
	if !c.put(greedy, message(0), 100) {
		t.Error("a full cache refuses an update")
	}
	for i := range wire.EntityID(capacity / 2) {
		if !c.put(wire.GUID{Entity: 100 + i}, message(0), 100) {
			t.Errorf("no space for writer %d", i)
		}
	}
	if c.used != c.limit || c.writers[greedy].used != c.limit/2 {
		t.Errorf("%d bytes, the greedy writer holds %d of %d", c.used, c.writers[greedy].used, c.limit)
	}
	if c.put(wire.GUID{Entity: 1}, message(1), c.limit) {
		t.Error("a message larger than the cache was taken")
	}
	for i := range wire.EntityID(capacity / 2) {
		c.forget(wire.GUID{Entity: 100 + i})
	}
	if !c.forget(greedy) || len(c.writers) != 0 || c.used != 0 || c.forget(greedy) {
		t.Errorf("%d bytes held after all", c.used)
	}
}
