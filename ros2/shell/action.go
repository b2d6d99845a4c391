// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/internal/suggest"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Suffixes of the name and type of an action's feedback topic, by which actions are found in the graph.
const (
	feedbackTopic = "/_action/feedback"
	feedbackType  = "_FeedbackMessage"
)

// actionEnds returns the types by name of the actions with servers (publishers of feedback) or clients (subscriptions).
func actionEnds(g ros2.Graph, kind ros2.EndpointKind) map[string][]string {
	return namesAndTypes(g.Endpoints, kind, feedbackTopic, feedbackType)
}

// actions returns the types of all actions by name.
func actions(g ros2.Graph) map[string][]string {
	found := actionEnds(g, ros2.PublisherEndpoint)
	for name, types := range actionEnds(g, ros2.SubscriptionEndpoint) {
		for _, t := range types {
			if !slices.Contains(found[name], t) {
				found[name] = append(found[name], t)
			}
		}
	}
	for _, types := range found {
		slices.Sort(types)
	}
	return found
}

func actionList(ctx context.Context, s *session) error {
	g, err := s.graph(ctx, anything)
	if err != nil {
		return err
	}
	found := actions(g)
	if s.args.flag("--count-actions") {
		s.printf("%d\n", len(found))
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		s.printName(name, found[name])
	}
	return nil
}

func actionInfo(ctx context.Context, s *session) error {
	name, err := s.fullName(s.args.value("action_name", ""))
	if err != nil {
		return err
	}
	g, err := s.graph(ctx, hasTopic(name+feedbackTopic))
	if err != nil {
		return err
	}
	s.suggestAction(g, name)
	s.printf("Action: %s\n", name)
	for _, end := range []struct {
		title string
		kind  ros2.EndpointKind
	}{{"clients", ros2.SubscriptionEndpoint}, {"servers", ros2.PublisherEndpoint}} {
		nodes := actionNodes(g, name, end.kind)
		s.printf("Action %s: %d\n", end.title, len(nodes))
		if s.args.flag("--count") {
			continue
		}
		for _, n := range nodes {
			s.printf("    %s", n.node)
			if s.args.flag("--show-types") {
				s.printf(" [%s]", n.rosType)
			}
			s.printf("\n")
		}
	}
	return nil
}

// suggestAction prints that an action does not exist, if a similar one does.
func (s *session) suggestAction(g ros2.Graph, name string) {
	found := actions(g)
	if text := suggest.DidYouMean(name, slices.Sorted(maps.Keys(found))); text != "" && found[name] == nil {
		fmt.Fprintf(s.env.Err, "There is no action '%s'%s\n", name, text)
	}
}

// actionNode is a node that serves or uses an action.
type actionNode struct{ node, rosType string }

// actionNodes returns the nodes with servers, or clients, of an action, sorted, each once.
func actionNodes(g ros2.Graph, name string, kind ros2.EndpointKind) []actionNode {
	var nodes []actionNode
	for _, e := range g.EndpointsOn(name + feedbackTopic) {
		rosType, ok := strings.CutSuffix(e.Type, feedbackType)
		if n := (actionNode{e.Node.FullName(), rosType}); ok && e.Kind == kind && !slices.Contains(nodes, n) {
			nodes = append(nodes, n)
		}
	}
	slices.SortFunc(nodes, func(a, b actionNode) int { return strings.Compare(a.node+" "+a.rosType, b.node+" "+b.rosType) })
	return nodes
}

func completeActions(ctx context.Context, s *session) []string {
	g, _ := s.graph(ctx, anything)
	return slices.Collect(maps.Keys(actions(g)))
}

// completeActionTypes returns the type of the action named before, or all types.
func completeActionTypes(ctx context.Context, s *session) []string {
	if name := s.args.value("action_name", ""); name != "" {
		g, _ := s.graph(ctx, hasTopic(name+feedbackTopic))
		if types := actions(g)[name]; len(types) > 0 {
			return types
		}
	}
	var names []string
	for _, n := range s.typeNames() {
		if name, ok := strings.CutSuffix(n, "_Goal"); ok && strings.Contains(n, "/action/") {
			names = append(names, name)
		}
	}
	return names
}
