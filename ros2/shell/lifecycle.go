// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/epuck-ros2/epuck-driver/internal/suggest"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// The service that identifies a managed node, and its type (ROS 2 design, "Managed nodes").
const (
	getStateService = "/get_state"
	getStateType    = "lifecycle_msgs/srv/GetState"
)

// managedNodes returns the nodes that have the services of a managed node, sorted.
func managedNodes(g ros2.Graph, all bool) []string {
	var names []string
	for _, n := range slices.Compact(nodeNames(g, all)) {
		if slices.Contains(g.ServerTypes(n+getStateService), getStateType) {
			names = append(names, n)
		}
	}
	return names
}

func lifecycleNodes(ctx context.Context, s *session) error {
	g, err := s.graph(ctx, anything)
	if err != nil {
		return err
	}
	names := managedNodes(g, s.args.flag("--all"))
	if s.args.flag("--count-nodes") {
		s.printf("%d\n", len(names))
		return nil
	}
	for _, n := range names {
		s.printf("%s\n", n)
	}
	return nil
}

// managed returns the managed node named on the command line.
func (s *session) managed(ctx context.Context) (string, error) {
	name := absolute(s.args.value("node_name", ""))
	g, err := s.nodeGraph(ctx, name, func(g ros2.Graph) bool { return len(g.ServerTypes(name+getStateService)) > 0 })
	if err != nil {
		return "", err
	}
	known := managedNodes(g, s.args.flag("--include-hidden-nodes"))
	switch {
	case slices.Contains(known, name):
		return name, nil
	case slices.Contains(nodeNames(g, true), name):
		return "", failf("Node '%s' is not a managed node: it has no service %s", name, name+getStateService)
	}
	return "", failure("Node not found" + suggest.DidYouMean(name, known))
}

func lifecycleGet(ctx context.Context, s *session) error {
	if s.args.value("node_name", "") != "" {
		node, err := s.managed(ctx)
		if err != nil {
			return err
		}
		return s.printState(ctx, node, "")
	}
	g, err := s.graph(ctx, anything)
	if err != nil {
		return err
	}
	for _, node := range managedNodes(g, s.args.flag("--include-hidden-nodes")) {
		if err := s.printState(ctx, node, node+": "); err != nil {
			return err
		}
	}
	return nil
}

// printState writes the state of a node: "active [3]".
func (s *session) printState(ctx context.Context, node, prefix string) error {
	response, err := s.ask(ctx, node+getStateService, getStateType, func(*dynamic.Message) error { return nil })
	if err != nil {
		return err
	}
	state := part(response, "current_state")
	s.printf("%s%s [%d]\n", prefix, textOf(state, "label"), numberOf(state, "id"))
	return nil
}

// transitions requests a node's transitions: those of its current state, or all.
func (s *session) transitions(ctx context.Context, node string, all bool) ([]*dynamic.Message, error) {
	service := "/get_available_transitions"
	if all {
		service = "/get_transition_graph"
	}
	response, err := s.ask(ctx, node+service, "lifecycle_msgs/srv/GetAvailableTransitions", func(*dynamic.Message) error { return nil })
	if err != nil {
		return nil, err
	}
	return messagesOf(response, "available_transitions"), nil
}

func lifecycleList(ctx context.Context, s *session) error {
	node, err := s.managed(ctx)
	if err != nil {
		return err
	}
	list, err := s.transitions(ctx, node, s.args.flag("--all"))
	if err != nil {
		return err
	}
	for _, d := range list {
		t, from, to := part(d, "transition"), part(d, "start_state"), part(d, "goal_state")
		s.printf("- %s [%d]\n\tStart: %s\n\tGoal: %s\n", textOf(t, "label"), numberOf(t, "id"), textOf(from, "label"), textOf(to, "label"))
	}
	return nil
}

func lifecycleSet(ctx context.Context, s *session) error {
	node, err := s.managed(ctx)
	if err != nil {
		return err
	}
	list, err := s.transitions(ctx, node, false)
	if err != nil {
		return err
	}
	wanted := s.args.value("transition", "")
	var known []string
	for _, d := range list {
		t := part(d, "transition")
		id, label := numberOf(t, "id"), textOf(t, "label")
		known = append(known, fmt.Sprintf("%s [%d]", label, id))
		if label == wanted || strconv.FormatInt(int64(id), 10) == wanted {
			return s.changeState(ctx, node, id)
		}
	}
	return failf("Unknown transition requested, available ones are:\n- %s", strings.Join(known, "\n- "))
}

// changeState triggers a transition.
func (s *session) changeState(ctx context.Context, node string, id uint64) error {
	response, err := s.ask(ctx, node+"/change_state", "lifecycle_msgs/srv/ChangeState", func(r *dynamic.Message) error {
		return part(r, "transition").Set("id", id)
	})
	if err != nil {
		return err
	}
	if v, _ := response.Get("success"); v != true {
		return failure("Transitioning failed")
	}
	s.printf("Transitioning successful\n")
	return nil
}

func completeManaged(ctx context.Context, s *session) []string {
	g, _ := s.graph(ctx, anything)
	return managedNodes(g, s.args.flag("--include-hidden-nodes"))
}

func completeTransitions(ctx context.Context, s *session) []string {
	node, err := s.managed(ctx)
	if err != nil {
		return nil
	}
	list, _ := s.transitions(ctx, node, false) // no answer: nothing to complete
	var labels []string
	for _, d := range list {
		labels = append(labels, textOf(part(d, "transition"), "label"))
	}
	return labels
}

// The service that identifies a container of components (package composition_interfaces).
const (
	listNodesService = "/_container/list_nodes"
	listNodesType    = "composition_interfaces/srv/ListNodes"
)

// componentList lists the containers. Listing and loading components requires types that this program does not have:
// components are C++ libraries of a ROS 2 installation, which has the ros2 command.
func componentList(ctx context.Context, s *session) error {
	g, err := s.graph(ctx, anything)
	if err != nil {
		return err
	}
	for _, n := range slices.Compact(nodeNames(g, false)) {
		if slices.Contains(g.ServerTypes(n+listNodesService), listNodesType) {
			s.printf("%s\n", n)
		}
	}
	return nil
}
