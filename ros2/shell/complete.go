// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// completer returns the possible words at the cursor. The session has the words before it.
type completer func(ctx context.Context, s *session) []string

// completeTime bounds discovery for completion, so that the shell stays responsive.
const completeTime = 1500 * time.Millisecond

// completion returns the completion of the command's positional arguments. Errors yield no words.
func (c *command) completion(env *Env) cobra.CompletionFunc {
	return func(cmd *cobra.Command, free []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		p := c.positionalAt(len(free))
		switch {
		case p != nil && p.file:
			return nil, cobra.ShellCompDirectiveDefault
		case p == nil || p.complete == nil:
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		ctx, cancel := context.WithTimeout(cmd.Context(), completeTime)
		defer cancel()
		s := &session{env: env, args: c.arguments(cmd, free)}
		_ = s.loadInterfaces() // completion goes without
		words := p.complete(ctx, s)
		_ = s.close() // the shell shows no errors
		words = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return !strings.HasPrefix(w, typed) })
		slices.Sort(words)
		return slices.Compact(words), cobra.ShellCompDirectiveNoFileComp
	}
}

// positionalAt returns the positional argument of the i-th word, nil if there are fewer.
func (c *command) positionalAt(i int) *positional {
	if last := len(c.positional) - 1; i > last {
		if last < 0 || !c.positional[last].repeated {
			return nil
		}
		i = last
	}
	return &c.positional[i]
}

func completeNodes(ctx context.Context, s *session) []string {
	g, _ := s.graph(ctx, anything)
	return nodeNames(g, s.args.flag("--include-hidden-nodes"))
}

func completeTopics(ctx context.Context, s *session) []string {
	g, _ := s.graph(ctx, anything)
	return topicNames(g, s.args.flag("--include-hidden-topics"))
}

func topicNames(g ros2.Graph, all bool) []string {
	var names []string
	for _, t := range g.Topics() {
		if all || !hidden(t.Name) {
			names = append(names, t.Name)
		}
	}
	return names
}

// completeTypes returns the type of the topic named before, or all types.
func completeTypes(ctx context.Context, s *session) []string {
	if topic := s.args.value("topic_name", ""); topic != "" {
		g, _ := s.graph(ctx, hasTopic(topic))
		for _, t := range g.Topics() {
			if t.Name == topic {
				return t.Types
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(s.typeNames()), func(n string) bool { return !strings.Contains(n, "/msg/") })
}

// completeMessage returns the message with its defaults, for editing.
func completeMessage(ctx context.Context, s *session) []string {
	t, err := s.passedType(ctx, s.args.value("message_type", ""), "msg")
	if err != nil {
		return nil
	}
	return []string{dynamic.New(t).Flow()}
}

func completeServices(ctx context.Context, s *session) []string {
	g, _ := s.graph(ctx, anything)
	return slices.Collect(maps.Keys(services(g, s.args.flag("--include-hidden-services"))))
}

func completeServiceTypes(ctx context.Context, s *session) []string {
	if name := s.args.value("service_name", ""); name != "" {
		g, _ := s.graph(ctx, hasService(name))
		if types := services(g, true)[name]; len(types) > 0 {
			return types
		}
	}
	var names []string
	for _, n := range s.typeNames() {
		if service, ok := strings.CutSuffix(n, "_Request"); ok {
			names = append(names, service)
		}
	}
	return names
}

func completeRequest(ctx context.Context, s *session) []string {
	t, err := s.passedService(ctx, s.args.value("service_type", ""))
	if err != nil {
		return nil
	}
	return []string{dynamic.New(t.request).Flow()}
}

func completeParameters(ctx context.Context, s *session) []string {
	node := absolute(s.args.value("node_name", ""))
	if _, err := s.graph(ctx, func(g ros2.Graph) bool { return hasService(node + "/list_parameters")(g) }); err != nil {
		return nil
	}
	names, _ := s.listParameters(ctx, node, nil) // no names: nothing to complete
	return names
}
