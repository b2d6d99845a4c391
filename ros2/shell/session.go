// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/waiting"
)

// How long the tools wait for discovery. Peers respond to a new participant within some tens of milliseconds; a lost
// packet is resent after one heartbeat. With thousands of nodes discovery takes many seconds, in which the graph keeps
// changing.
const (
	quietTime  = 600 * time.Millisecond // without a change: the graph has settled
	searchTime = 3 * time.Second        // without a change, while a named node or topic is missing
	settleTime = 60 * time.Second       // at most, while the graph changes
)

// session is one run of a tool.
type session struct {
	env       *Env
	args      *arguments
	transport ros2.Transport
	node      ros2.NodeName // zero until it is created
	opened    time.Time
	unsettled bool               // it was reported that the graph still changes
	callers   map[string]*caller // clients by the name of their service
	extra     interfaceSources   // of --interfaces, and of nodes
}

// open joins the network, once.
func (s *session) open() error {
	if s.transport != nil {
		return nil
	}
	t, err := s.env.Open()
	if err != nil {
		return err
	}
	s.transport, s.opened, s.callers = t, time.Now(), map[string]*caller{}
	return nil
}

// join creates the node, once.
func (s *session) join(name string) error {
	if err := s.open(); err != nil || s.node.Name != "" {
		return err
	}
	if err := ros2.ValidateNodeName(name); err != nil {
		return err
	}
	node := ros2.NodeName{Namespace: "/", Name: name}
	if err := s.transport.AddNode(node); err != nil {
		return err
	}
	s.node = node
	return nil
}

// close closes the node and its transport.
func (s *session) close() error {
	if s.transport == nil {
		return nil
	}
	var errs []error
	for _, c := range s.callers {
		errs = append(errs, c.close())
	}
	if s.node.Name != "" {
		errs = append(errs, s.transport.RemoveNode(s.node))
	}
	return errors.Join(append(errs, s.transport.Close())...)
}

// printf writes output.
func (s *session) printf(format string, args ...any) { fmt.Fprintf(s.env.Out, format, args...) }

// graph returns the graph when it has settled: found returns true and nothing has been added for quietTime, or nothing has
// been added for searchTime. If it still changes after settleTime, a message has the number of nodes and endpoints so far.
// With --spin-time it waits exactly that long.
func (s *session) graph(ctx context.Context, found func(ros2.Graph) bool) (ros2.Graph, error) {
	if err := s.open(); err != nil {
		return ros2.Graph{}, err
	}
	changed := make(chan struct{}, 1)
	cancel := s.transport.OnGraphChange(func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	})
	defer cancel()
	if s.args.flag("--spin-time") {
		limit := time.Duration(s.args.number("--spin-time", 0) * float64(time.Second))
		if err := s.sleep(ctx, limit-time.Since(s.opened)); err != nil {
			return ros2.Graph{}, err
		}
		return s.transport.Graph(), nil
	}
	for last, size := s.opened, -1; ; {
		began := time.Now()
		g := s.transport.Graph()
		n := len(g.Nodes) + len(g.Endpoints)
		if size >= 0 && n > size { // nodes that leave are no sign that more is to be discovered
			last = began
		}
		size = max(size, n)
		limit := searchTime
		if found(g) {
			limit = quietTime
		}
		wait := limit - time.Since(last)
		if wait <= 0 {
			return g, nil
		}
		if left := settleTime - time.Since(s.opened); left <= 0 {
			s.reportUnsettled(g)
			return g, nil
		} else if left < wait {
			wait = left
		}
		// A look at a large graph takes a while: most of the time is left for discovery.
		if err := s.sleep(ctx, 4*time.Since(began)); err != nil {
			return ros2.Graph{}, err
		}
		timer := time.NewTimer(wait)
		select {
		case <-changed:
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return ros2.Graph{}, ctx.Err()
		case <-s.transport.Done():
			timer.Stop()
			return ros2.Graph{}, s.transport.Err()
		}
		timer.Stop()
	}
}

// reportUnsettled prints how far discovery is, once.
func (s *session) reportUnsettled(g ros2.Graph) {
	if !s.unsettled {
		fmt.Fprintf(s.env.Err, "The network still changes after %v: %d nodes and %d endpoints were discovered so far; --spin-time waits longer\n",
			settleTime, len(g.Nodes), len(g.Endpoints))
	}
	s.unsettled = true
}

// anything is an argument of graph: the graph is not empty, and the nodes of all endpoints are known, which are
// announced separately from the endpoints.
func anything(g ros2.Graph) bool { return len(g.Nodes)+len(g.Endpoints) > 0 && haveNodes(g.Endpoints) }

func haveNodes(endpoints []ros2.EndpointInfo) bool {
	return !slices.ContainsFunc(endpoints, func(e ros2.EndpointInfo) bool { return e.Node.Name == "" })
}

// hasTopic is an argument of graph: the topic and the nodes that use it are known.
func hasTopic(name string) func(ros2.Graph) bool {
	return func(g ros2.Graph) bool {
		endpoints := g.EndpointsOn(name)
		return len(endpoints) > 0 && haveNodes(endpoints)
	}
}

// hasNode is an argument of graph: the node is known.
func hasNode(full string) func(ros2.Graph) bool {
	return func(g ros2.Graph) bool { return countNodes(g, full) > 0 }
}

func countNodes(g ros2.Graph, full string) int {
	n := 0
	for _, node := range g.Nodes {
		if node.FullName() == full {
			n++
		}
	}
	return n
}

// hidden reports whether a name is omitted from lists: a part begins with an underscore.
func hidden(name string) bool {
	return strings.HasPrefix(name, "_") || strings.Contains(name, "/_")
}

// fullName expands the name of a topic or service as for a node without a
// namespace.
func (s *session) fullName(name string) (string, error) {
	return ros2.ExpandName(name, ros2.NodeName{Namespace: "/", Name: s.env.Node})
}

// notice reports on standard error for what the tool waits, and why it does not come, from one second on until stop is
// called.
func (s *session) notice(peers ...waiting.Peer) (stop func()) {
	for i := range peers {
		peers[i].Own = s.node
	}
	return waiting.Notice(s.transport, func(text string) { fmt.Fprintln(s.env.Err, text) }, peers...)
}

// nodeGraph is graph for a command about one node: while that is missing, it reports so.
func (s *session) nodeGraph(ctx context.Context, name string, found func(ros2.Graph) bool) (ros2.Graph, error) {
	if err := s.open(); err != nil {
		return ros2.Graph{}, err
	}
	defer s.notice(waiting.Peer{Node: true, Name: name})()
	return s.graph(ctx, found)
}

// sleep waits unless ctx or the network ends before.
func (s *session) sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-s.transport.Done():
		return s.transport.Err()
	}
}
