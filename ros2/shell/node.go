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

func nodeList(ctx context.Context, s *session) error {
	g, err := s.graph(ctx, anything)
	if err != nil {
		return err
	}
	names := nodeNames(g, s.args.flag("--all"))
	if s.args.flag("--count-nodes") {
		s.printf("%d\n", len(names))
		return nil
	}
	if len(slices.Compact(slices.Clone(names))) < len(names) {
		fmt.Fprintln(s.env.Err, "WARNING: Be aware that are nodes in the graph that share an exact name, "+
			"this can have unintended side effects.")
	}
	for _, n := range names {
		s.printf("%s\n", n)
	}
	return nil
}

// nodeNames returns the full names of the nodes, sorted.
func nodeNames(g ros2.Graph, all bool) []string {
	var names []string
	for _, n := range g.Nodes {
		if all || !strings.HasPrefix(n.Name, "_") {
			names = append(names, n.FullName())
		}
	}
	slices.Sort(names)
	return names
}

func nodeInfo(ctx context.Context, s *session) error {
	name := absolute(s.args.value("node_name", ""))
	g, err := s.nodeGraph(ctx, name, hasNode(name))
	if err != nil {
		return err
	}
	all := s.args.flag("--include-hidden")
	count := 0
	for _, n := range nodeNames(g, all) {
		if n == name {
			count++
		}
	}
	if count == 0 {
		return failf("Unable to find node '%s'%s", name, suggest.DidYouMean(name, nodeNames(g, true)))
	}
	if count > 1 {
		fmt.Fprintf(s.env.Err, "There are %d nodes in the graph with the exact name \"%s\". "+
			"You are seeing information about only one of them.\n", count, name)
	}
	slash := strings.LastIndexByte(name, '/')
	node := ros2.NodeName{Namespace: name[:max(slash, 1)], Name: name[slash+1:]}
	endpoints := g.EndpointsOf(node)
	s.printf("%s\n", name)
	for _, part := range []struct {
		title  string
		kind   ros2.EndpointKind
		suffix string // of an action's topic, and of its type
		of     string
	}{
		{"Subscribers", ros2.SubscriptionEndpoint, "", ""},
		{"Publishers", ros2.PublisherEndpoint, "", ""},
		{"Service Servers", ros2.ServiceEndpoint, "", ""},
		{"Service Clients", ros2.ClientEndpoint, "", ""},
		{"Action Servers", ros2.PublisherEndpoint, "/_action/feedback", "_FeedbackMessage"},
		{"Action Clients", ros2.SubscriptionEndpoint, "/_action/feedback", "_FeedbackMessage"},
	} {
		s.printf("  %s:\n", part.title)
		s.printNamesAndTypes(namesAndTypes(endpoints, part.kind, part.suffix, part.of), all)
	}
	return nil
}

// namesAndTypes returns the types by name of the endpoints of a kind whose names
// and types end with the suffixes, without those.
func namesAndTypes(endpoints []ros2.EndpointInfo, kind ros2.EndpointKind, nameSuffix, typeSuffix string) map[string][]string {
	types := map[string][]string{}
	for _, e := range endpoints {
		name, isName := strings.CutSuffix(e.Topic, nameSuffix)
		typ, isType := strings.CutSuffix(e.Type, typeSuffix)
		if e.Kind == kind && isName && isType && !slices.Contains(types[name], typ) {
			types[name] = append(types[name], typ)
		}
	}
	return types
}

// printNamesAndTypes writes a line for each name, an empty line if there is none.
func (s *session) printNamesAndTypes(types map[string][]string, all bool) {
	empty := true
	for _, name := range slices.Sorted(maps.Keys(types)) {
		if all || !hidden(name) {
			slices.Sort(types[name])
			s.printf("    %s: %s\n", name, strings.Join(types[name], ", "))
			empty = false
		}
	}
	if empty {
		s.printf("\n")
	}
}
