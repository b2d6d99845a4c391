// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

// mixed is a network with nodes of different machines, in a bubble of simulated time.
type mixed struct {
	*testing.T
	open func() ros2.Transport
}

// onBothTransports runs a test on the network in memory and on DDS over a virtual network.
func onBothTransports(t *testing.T, test func(m *mixed)) {
	t.Run("memory", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			n := ros2test.NewNetwork()
			test(&mixed{t, func() ros2.Transport { return n.NewTransport() }})
		})
	})
	t.Run("rtps", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			n, hosts := vnet.New(vnet.Config{}), byte(0)
			test(&mixed{t, func() ros2.Transport {
				hosts++
				tr, err := rmw.New(rmw.Config{Network: n.Host(hosts)})
				if err != nil {
					t.Fatal(err)
				}
				return tr
			}})
		})
	})
}

func (m *mixed) node(name string) *ros2.Node {
	m.Helper()
	tr := m.open()
	n, err := ros2.NewNode(ros2.NodeConfig{Name: name, Transport: tr})
	if err != nil {
		m.Fatal(err)
	}
	m.Cleanup(func() {
		if err := n.Close(); err != nil {
			m.Error(err)
		}
		if err := tr.Close(); err != nil {
			m.Error(err)
		}
	})
	return n
}

func (m *mixed) talker(name string, qos ros2.QoS) func(texts ...string) {
	m.Helper()
	p, err := ros2.NewPublisher[std_msgs.String](m.node(name), "/mix", qos)
	if err != nil {
		m.Fatal(err)
	}
	return func(texts ...string) {
		m.Helper()
		for _, text := range texts {
			if err := p.Publish(&std_msgs.String{Data: text}); err != nil {
				m.Fatal(err)
			}
		}
	}
}

// texts collects messages.
type texts struct {
	mu   sync.Mutex
	list []string
}

func (h *texts) hear(m *std_msgs.String) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.list = append(h.list, m.Data)
}

// heard returns the messages so far, sorted: those of different publishers may arrive in any order.
func (h *texts) heard() []string {
	time.Sleep(2 * time.Second)
	synctest.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Sorted(slices.Values(h.list))
}

// TestSubscriptionMatchesEveryPublisher: kinds of publishers, before and after the subscription, in both orders.
func TestSubscriptionMatchesEveryPublisher(t *testing.T) {
	kinds := map[string]ros2.QoS{
		"best effort": ros2.SensorDataQoS(),
		"kept":        ros2.LatchedQoS().WithDepth(5),
		"kept best":   ros2.LatchedQoS().WithDepth(5).WithReliability(ros2.BestEffort),
		"reliable":    ros2.DefaultQoS(),
	}
	for _, initial := range []ros2.QoS{ros2.DefaultQoS(), ros2.SensorDataQoS(), ros2.TFStaticListenerQoS()} {
		t.Run(initial.Reliability.String()+" "+initial.Durability.String(), func(t *testing.T) {
			onBothTransports(t, func(m *mixed) {
				early := map[string]func(...string){}
				var want []string
				for i, name := range []string{"best effort", "kept", "kept best", "reliable"} {
					early[name] = m.talker(fmt.Sprint("early", i), kinds[name])
					early[name](name + " before")
					if kinds[name].Durability == ros2.TransientLocal && kinds[name].Reliability == ros2.Reliable {
						want = append(want, name+" before")
					}
				}
				time.Sleep(2 * time.Second)
				var h texts
				n := m.node("listener")
				if _, err := ros2.Listen(n, "/mix", initial, h.hear, ros2.MatchAllPublishers()); err != nil {
					t.Fatal(err)
				}
				time.Sleep(2 * time.Second)
				for i, name := range []string{"best effort", "kept", "kept best", "reliable"} {
					late := m.talker(fmt.Sprint("late", i), kinds[name])
					time.Sleep(2 * time.Second)
					early[name](name+" 1", name+" 2")
					late(name + " late")
					want = append(want, name+" 1", name+" 2", name+" late")
				}
				slices.Sort(want)
				got := slices.DeleteFunc(h.heard(), func(s string) bool { return s == "kept best before" }) // may be lost
				if !slices.Equal(got, want) {
					t.Errorf("heard %q\nwant  %q", got, want)
				}
			})
		})
	}
}

func TestMatchAllReaderClosesAllReaders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := ros2test.NewNetwork()
		m := &mixed{t, func() ros2.Transport { return n.NewTransport() }}
		listener := m.node("listener")
		var h texts
		sub, err := ros2.Listen(listener, "/mix", ros2.DefaultQoS(), h.hear, ros2.MatchAllPublishers())
		if err != nil {
			t.Fatal(err)
		}
		say, keep := m.talker("a", ros2.SensorDataQoS()), m.talker("b", ros2.LatchedQoS())
		synctest.Wait()
		if n := countReaders(listener); n != 3 || sub.PublisherCount() != 2 {
			t.Errorf("%d readers, %d publishers", n, sub.PublisherCount())
		}
		if err := sub.Close(); err != nil {
			t.Error(err)
		}
		say("after")
		keep("after")
		if n := countReaders(listener); n != 0 || len(h.heard()) != 0 {
			t.Errorf("%d readers, heard %q", n, h.heard())
		}
	})
}

func countReaders(n *ros2.Node) int {
	readers := 0
	for _, e := range n.Graph().EndpointsOn("/mix") {
		if e.Kind == ros2.SubscriptionEndpoint {
			readers++
		}
	}
	return readers
}

// anonymous is a transport that does not identify publishers, as that of rclgo.
type anonymous struct{ ros2.Transport }

func (anonymous) Anonymous() bool { return true }

func (a anonymous) NewReader(cfg ros2.ReaderConfig) (ros2.Reader, error) {
	callback := cfg.OnSample
	cfg.OnSample = func(s ros2.Sample) {
		s.Info.Publisher = ros2.GID{}
		callback(s)
	}
	return a.Transport.NewReader(cfg)
}

func TestAnonymousTransportHasOneReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := ros2test.NewNetwork()
		m := &mixed{t, func() ros2.Transport { return n.NewTransport() }}
		keep := m.talker("a", ros2.LatchedQoS())
		keep("kept")
		tr := n.NewTransport()
		node := ros2.NodeName{Namespace: "/", Name: "tool"}
		if err := tr.AddNode(node); err != nil {
			t.Fatal(err)
		}
		defer tr.Close()
		var got []string
		var requested []ros2.QoS
		r, err := ros2.NewMatchAllReader(anonymous{tr}, ros2.MatchAllConfig{
			EndpointConfig: ros2.EndpointConfig{Node: node, Topic: "/mix", Type: "std_msgs/msg/String"},
			OnSample:       func(s ros2.Sample, _ ros2.QoS) { got = append(got, string(s.Payload[8:len(s.Payload)-1])) },
			OnMixed:        func(q ros2.QoS) { requested = append(requested, q) },
		})
		if err != nil {
			t.Fatal(err)
		}
		r.Watch(func(err error) { t.Error(err) })
		say := m.talker("b", ros2.SensorDataQoS())
		synctest.Wait()
		say("x")
		keep("y")
		if !slices.Equal(got, []string{"kept", "x", "y"}) {
			t.Errorf("%q", got)
		}
		if len(requested) != 1 || requested[0].Reliability != ros2.BestEffort || requested[0].Durability != ros2.Volatile {
			t.Errorf("the loss is reported as %v", requested)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestAnonymousReaderReportsALaterLoss: a publisher with kept messages comes when the weaker one, which the reader has
// become like, has left: that its kept messages are missed is reported.
func TestAnonymousReaderReportsALaterLoss(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := ros2test.NewNetwork()
		tr := n.NewTransport()
		defer tr.Close()
		mixed := 0
		r, err := ros2.NewMatchAllReader(anonymous{tr}, ros2.MatchAllConfig{
			EndpointConfig: ros2.EndpointConfig{Topic: "/mix", Type: "std_msgs/msg/String"},
			OnSample:       func(ros2.Sample, ros2.QoS) {}, OnMixed: func(ros2.QoS) { mixed++ },
		})
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range []struct {
			qos  ros2.QoS
			want int
		}{{ros2.SensorDataQoS(), 0}, {ros2.LatchedQoS(), 1}, {ros2.LatchedQoS(), 1}} {
			w, err := n.NewTransport().NewWriter(ros2.WriterConfig{EndpointConfig: ros2.EndpointConfig{Topic: "/mix", Type: "std_msgs/msg/String", QoS: c.qos}})
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Update(ros2.EndpointsOn(tr, "/mix")); err != nil {
				t.Error(err)
			}
			if mixed != c.want {
				t.Errorf("publisher %d: reported %d times, want %d", i, mixed, c.want)
			}
			if err := w.Close(); err != nil {
				t.Error(err)
			}
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
}

// eventTransport keeps what its readers call when messages are lost.
type eventTransport struct {
	*ros2test.Transport
	onEvent *[]func(ros2.EndpointEvent)
}

func (t eventTransport) NewReader(cfg ros2.ReaderConfig) (ros2.Reader, error) {
	*t.onEvent = append(*t.onEvent, cfg.OnEvent)
	return t.Transport.NewReader(cfg)
}

// TestLostMessagesAreReportedByTheReaderThatReceivesThem: a message of a reliable publisher that the best-effort reader
// misses is not lost, for the reliable one receives it; if that misses it, too, it is lost once.
func TestLostMessagesAreReportedByTheReaderThatReceivesThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := ros2test.NewNetwork()
		var onEvent []func(ros2.EndpointEvent)
		tr := eventTransport{n.NewTransport(), &onEvent}
		defer tr.Close()
		var publishers []ros2.Writer
		for _, q := range []ros2.QoS{ros2.DefaultQoS(), ros2.SensorDataQoS()} {
			w, err := n.NewTransport().NewWriter(ros2.WriterConfig{EndpointConfig: ros2.EndpointConfig{Topic: "/mix", Type: "std_msgs/msg/String", QoS: q}})
			if err != nil {
				t.Fatal(err)
			}
			publishers = append(publishers, w)
		}
		lost := map[ros2.GID]int{}
		r, err := ros2.NewMatchAllReader(tr, ros2.MatchAllConfig{
			EndpointConfig: ros2.EndpointConfig{Topic: "/mix", Type: "std_msgs/msg/String", OnEvent: func(ev ros2.EndpointEvent) { lost[ev.Remote.GID] += ev.Change }},
			OnSample:       func(ros2.Sample, ros2.QoS) {},
		})
		if err != nil || len(onEvent) != 2 {
			t.Fatalf("%d readers, %v", len(onEvent), err)
		}
		unknown := ros2.GID{7}
		for _, report := range onEvent {
			for _, gid := range []ros2.GID{publishers[0].GID(), publishers[1].GID(), unknown} {
				report(ros2.EndpointEvent{Kind: ros2.EventMessageLost, Change: 1, Remote: ros2.EndpointInfo{GID: gid}})
			}
		}
		if lost[publishers[0].GID()] != 1 || lost[publishers[1].GID()] != 1 || lost[unknown] != 2 {
			t.Errorf("%v", lost)
		}
		onEvent[0](ros2.EndpointEvent{Kind: ros2.EventRequestedDeadlineMissed, Change: 1, Remote: ros2.EndpointInfo{GID: publishers[1].GID()}})
		onEvent[1](ros2.EndpointEvent{Kind: ros2.EventRequestedDeadlineMissed, Change: 1, Remote: ros2.EndpointInfo{GID: publishers[0].GID()}})
		if lost[publishers[0].GID()]+lost[publishers[1].GID()] != 4 {
			t.Errorf("other events: %v", lost)
		}
		if err := errors.Join(r.Close(), publishers[0].Close(), publishers[1].Close()); err != nil {
			t.Error(err)
		}
	})
}
