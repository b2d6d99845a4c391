// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// TestLocalGraphAgainstModel compares the message of a localGraph with one built from scratch after each change.
func TestLocalGraphAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var g localGraph
		var added []ros2.NodeName
		var endpoints []*ddsEndpoint
		var last []byte
		participant := wire.GUID{Entity: wire.EntityParticipant}
		for i := range rapid.IntRange(1, 60).Draw(t, "changes") {
			name := ros2.NodeName{Namespace: "/", Name: rapid.SampledFrom([]string{"a", "bb", "ccc", "dddd"}).Draw(t, "name")}
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0:
				g.addNode(name)
				added = append(added, name)
			case 1:
				at := slices.Index(added, name)
				if g.removeNode(name) != (at >= 0) {
					t.Fatalf("removing %v of %v", name, added)
				}
				if at >= 0 {
					added = slices.Delete(added, at, at+1)
				}
			case 2:
				e := &ddsEndpoint{info: ros2.EndpointInfo{Node: name}}
				if reader := rapid.Bool().Draw(t, "reader"); reader {
					e.reader = wire.GUID{Entity: wire.NewEntityID(uint32(i), wire.KindReader)}
				}
				if e.reader.IsZero() || rapid.Bool().Draw(t, "writer") {
					e.writer = wire.GUID{Entity: wire.NewEntityID(uint32(i), wire.KindWriter)}
				}
				g.add(e)
				endpoints = append(endpoints, e)
			default:
				if len(endpoints) > 0 {
					at := rapid.IntRange(0, len(endpoints)-1).Draw(t, "endpoint")
					g.remove(endpoints[at])
					endpoints = slices.Delete(endpoints, at, at+1)
				}
			}
			for variant, form := range []gidForm{humbleVariant: humbleForm, ironVariant: ironForm} {
				got, err := parseGraphForm(g.message(participant, variant), form)
				if err != nil {
					t.Fatal(err)
				}
				if got, want := fmt.Sprint(sorted(got)), fmt.Sprint(sorted(modelMessage(participant, added, endpoints))); got != want {
					t.Fatalf("form %d:\n%s\nwant\n%s", form, got, want)
				}
			}
			now := g.message(participant, ironVariant)
			if !g.changed && last != nil && !bytes.Equal(last, now) {
				t.Fatal("the message has changed, and changed is false")
			}
			last, g.changed = now, false
			if n := len(slices.Collect(g.all)); n != len(endpoints) || n != g.endpoints || len(g.appendNames(nil)) != len(added) {
				t.Fatalf("%d endpoints of %d, %d nodes of %d", n, len(endpoints), len(g.appendNames(nil)), len(added))
			}
			for _, e := range endpoints {
				if !e.reader.IsZero() && g.owner(e.reader) != e.info.Node || !e.writer.IsZero() && g.owner(e.writer) != e.info.Node {
					t.Fatalf("the endpoint of %v has another owner", e.info.Node)
				}
			}
		}
		if len(added)+len(endpoints) == 0 && len(g.byName) > 0 {
			t.Fatalf("%d names kept", len(g.byName))
		}
	})
}

// modelMessage builds a graph message from scratch: of nodes with one name the first has the endpoints.
func modelMessage(participant wire.GUID, added []ros2.NodeName, endpoints []*ddsEndpoint) *graphMessage {
	m := &graphMessage{participant: participant}
	for i, name := range added {
		n := graphNode{name: name}
		for _, e := range endpoints {
			if e.info.Node != name || slices.Index(added, name) != i {
				continue
			}
			if !e.reader.IsZero() {
				n.readers = append(n.readers, e.reader)
			}
			if !e.writer.IsZero() {
				n.writers = append(n.writers, e.writer)
			}
		}
		m.nodes = append(m.nodes, n)
	}
	return m
}

// sorted normalizes the order of nodes and endpoints, which only matters for nodes with the same name.
func sorted(m *graphMessage) *graphMessage {
	order := func(a, b wire.GUID) int { return int(a.Entity) - int(b.Entity) }
	for _, n := range m.nodes {
		slices.SortFunc(n.readers, order)
		slices.SortFunc(n.writers, order)
	}
	slices.SortStableFunc(m.nodes, func(a, b graphNode) int { return bytes.Compare([]byte(a.name.Name), []byte(b.name.Name)) })
	return m
}

// TestGraphCostsOfManyNodes: nodes created and closed one after another are each encoded a bounded number of times, the
// messages do not exceed a rate, and another participant discovers a node within 100 ms.
func TestGraphCostsOfManyNodes(t *testing.T) {
	for _, nodes := range []int{50, 150} {
		synctest.Test(t, func(t *testing.T) {
			net := vnet.New(vnet.Config{Seed: 1})
			s := newStranger(t, net.Host(1), ironUserData)
			tr := open(t, net.Host(2))
			settle()
			began, first := time.Now(), len(s.heard)
			var all []*ros2.Node
			for i := range nodes {
				n := newNode(t, tr, fmt.Sprint("n", i), nil)
				for k := range 20 {
					publish(t, n, fmt.Sprint("topic", k), ros2.DefaultQoS())
				}
				all = append(all, n)
				time.Sleep(5 * time.Millisecond)
			}
			time.Sleep(maxGraphPause)
			if m := s.last(t, ironForm); len(m.nodes) != nodes {
				t.Errorf("%d of %d nodes are seen 100 ms after the last one was made", len(m.nodes), nodes)
			}
			for _, n := range all {
				if err := n.Close(); err != nil {
					t.Fatal(err)
				}
				time.Sleep(5 * time.Millisecond)
			}
			time.Sleep(maxGraphPause)
			if m := s.last(t, ironForm); len(m.nodes) != 0 {
				t.Errorf("%d nodes are seen after all have closed", len(m.nodes))
			}
			s.mu.Lock()
			messages := len(s.heard) - first
			s.mu.Unlock()
			if limit := int(time.Since(began)/graphPause) + 2; messages > limit {
				t.Errorf("%d messages in %v, at most %d", messages, time.Since(began), limit)
			}
			// In two forms, with the first endpoint, with all, and after a pause in between.
			if encoded := tr.own.encoded; encoded > 6*nodes {
				t.Errorf("%d nodes were encoded %d times", nodes, encoded)
			}
		})
	}
}

// TestGraphPauseGrowsWithTheMessage: messages of 2,000 robots do not exceed graphRate.
func TestGraphPauseGrowsWithTheMessage(t *testing.T) {
	for size, want := range map[int]time.Duration{
		0: graphPause, 1000: graphPause, graphRate / 20: 50 * time.Millisecond, graphRate / 16: 62500 * time.Microsecond,
		graphRate / 10: 100 * time.Millisecond, maxGraphBytes: maxGraphPause,
	} {
		if got := pauseAfter(size).Round(time.Microsecond); got != want {
			t.Errorf("%d bytes: %v, want %v", size, got, want)
		}
	}
}

// TestThousandNodesOfOneProcess: another transport discovers all nodes, with their endpoints, of a participant with a
// thousand nodes.
func TestThousandNodesOfOneProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := vnet.New(vnet.Config{Seed: 1})
		const nodes, topics = 1050, 1
		tr, outside := open(t, net.Host(1)), open(t, net.Host(2))
		settle()
		for i := range nodes {
			n := newNode(t, tr, fmt.Sprint("n", i), nil)
			for k := range topics {
				publish(t, n, fmt.Sprint("n", i, "/topic", k), ros2.DefaultQoS())
			}
		}
		time.Sleep(3 * time.Second)
		g := outside.Graph()
		if len(g.Nodes) != nodes || len(g.Endpoints) != nodes*topics {
			t.Errorf("%d nodes of %d, %d endpoints of %d are seen", len(g.Nodes), nodes, len(g.Endpoints), nodes*topics)
		}
		for _, e := range g.Endpoints {
			if e.Node.Name == "" {
				t.Fatalf("%s has no node", e.Topic)
			}
		}
	})
}
