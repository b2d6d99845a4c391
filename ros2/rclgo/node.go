// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

import (
	"fmt"
	"slices"

	"github.com/tiiuae/rclgo/pkg/rclgo"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// node is an rcl node. In rcl it must outlive its endpoints, in package ros2 it is removed first: so it exists until
// both are removed. Its fields are guarded by Transport.mu.
type node struct {
	*rclgo.Node
	name      ros2.NodeName
	endpoints int
	leaving   bool
}

// AddNode adds the node to the graph.
func (t *Transport) AddNode(name ros2.NodeName) error {
	t.rcl.Lock()
	defer t.rcl.Unlock()
	if err := t.closedErr(); err != nil {
		return err
	}
	n := &node{name: name}
	err := call("adding node "+name.FullName(), func() (err error) {
		n.Node, err = t.context.NewNode(name.Name, name.Namespace)
		return err
	})
	if err != nil {
		return err
	}
	t.mu.Lock()
	t.nodes = append(t.nodes, n)
	t.mu.Unlock()
	t.spin.change(t.followGraph)
	return nil
}

// RemoveNode removes a node with the name from the graph; if it has endpoints, with the last of them. Endpoints belong
// to the newest node with a name, so an older one can be removed at once.
func (t *Transport) RemoveNode(name ros2.NodeName) error {
	t.rcl.Lock()
	defer t.rcl.Unlock()
	if err := t.closedErr(); err != nil {
		return err
	}
	t.mu.Lock()
	i := slices.IndexFunc(t.nodes, func(n *node) bool { return n.name == name && !n.leaving })
	if i < 0 {
		t.mu.Unlock()
		return fmt.Errorf("remove node %s: it was not added", name.FullName())
	}
	n := t.nodes[i]
	n.leaving = true
	t.mu.Unlock()
	return t.endUnused(n)
}

// hold returns the node for a new endpoint; the caller holds rcl.
func (t *Transport) hold(name ros2.NodeName) (*node, error) {
	if err := t.closedErr(); err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, n := range slices.Backward(t.nodes) {
		if n.name == name && !n.leaving {
			n.endpoints++
			return n, nil
		}
	}
	return nil, fmt.Errorf("%w: node %s was not added", ErrConfig, name.FullName())
}

// release reverts hold; the caller holds rcl.
func (t *Transport) release(n *node) error {
	t.mu.Lock()
	n.endpoints--
	t.mu.Unlock()
	return t.endUnused(n)
}

// endUnused destroys a removed node without endpoints; the caller holds rcl.
func (t *Transport) endUnused(n *node) error {
	t.mu.Lock()
	i := slices.Index(t.nodes, n)
	stays := i < 0 || !n.leaving || n.endpoints > 0
	if !stays {
		t.nodes = slices.Delete(t.nodes, i, i+1)
	}
	t.mu.Unlock()
	if stays {
		return nil
	}
	t.spin.change(t.followGraph)
	return n.end()
}

func (n *node) end() error { return call("removing node "+n.name.FullName(), n.Close) }

// followGraph makes the spinner wait for changes of the graph with an existing node; without a node there is no graph.
func (t *Transport) followGraph(s *spinner) {
	s.graph = nil
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.nodes) > 0 {
		s.graph = graphGuard(t.nodes[0])
	}
}

// anyNode returns a node for querying the graph, or nil. The caller holds rcl.
func (t *Transport) anyNode() *node {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.nodes) == 0 {
		return nil
	}
	return t.nodes[0]
}
