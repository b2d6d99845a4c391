// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// completer returns the words that may stand where the user is typing. The session
// holds what was typed before.
type completer func(ctx context.Context, s *session) []string

// completeTime is how long completion looks at the network: a shell must not seem to
// hang.
const completeTime = 1500 * time.Millisecond

// Complete returns the words that may follow args, the last of which is being typed
// and may be empty. Errors make an empty list.
func Complete(ctx context.Context, env Env, args []string) []string {
	if len(args) == 0 {
		return nil
	}
	typed := args[len(args)-1]
	return Matching(candidates(ctx, &env, args[:len(args)-1], typed), typed)
}

// Matching returns the words that begin with the last of typed, sorted.
func Matching(words []string, typed ...string) []string {
	prefix := ""
	if len(typed) > 0 {
		prefix = typed[len(typed)-1]
	}
	words = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return !strings.HasPrefix(w, prefix) })
	slices.Sort(words)
	return slices.Compact(words)
}

// candidates returns what may stand behind the words done.
func candidates(ctx context.Context, env *Env, done []string, typed string) []string {
	switch {
	case len(done) == 0:
		return Groups()
	case len(done) == 1:
		var names []string
		for _, c := range commands() {
			if c.group == done[0] {
				names = append(names, c.name)
			}
		}
		return names
	}
	c, rest, err := find(done)
	if err != nil || c == nil {
		return nil
	}
	if o := awaiting(c, rest); o != nil {
		return slices.Clone(o.choices)
	}
	if strings.HasPrefix(typed, "-") {
		names := []string{"--help"}
		for i := range c.options {
			names = append(names, strings.Fields(c.options[i].names)...)
		}
		return names
	}
	p := parser{c: c, args: rest, out: parsed{options: map[string][]string{}, positional: map[string][]string{}}}
	args, _ := parse(&command{options: c.options, positional: []positional{{name: "all", optional: true, repeated: true}}}, rest)
	if args == nil {
		return nil
	}
	p.free = args.positional["all"]
	p.out.options = args.options
	_ = p.assign() // what is missing is being typed
	if i := min(len(p.free), len(c.positional)-1); i >= 0 && c.positional[i].complete != nil && (i == len(p.free) || c.positional[i].repeated) {
		ctx, cancel := context.WithTimeout(ctx, completeTime)
		defer cancel()
		s := &session{env: env, args: &p.out}
		words := c.positional[i].complete(ctx, s)
		_ = s.close() // nobody to tell
		return words
	}
	return nil
}

// awaiting returns the option whose value is being typed, if any.
func awaiting(c *command, done []string) *option {
	if len(done) == 0 {
		return nil
	}
	last := done[len(done)-1]
	for i := range c.options {
		o := &c.options[i]
		if o.metavar != "" && slices.Contains(strings.Fields(o.names), last) {
			return o
		}
	}
	return nil
}

func completeNodes(ctx context.Context, s *session) []string {
	g, _ := s.graph(ctx, anything)
	return nodeNames(g, s.args.flag("--include-hidden-nodes"))
}

func completeTopics(ctx context.Context, s *session) []string {
	g, _ := s.graph(ctx, anything)
	var names []string
	for _, t := range g.Topics() {
		if s.args.flag("--include-hidden-topics") || !hidden(t.Name) {
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
	return slices.DeleteFunc(slices.Clone(s.env.TypeNames), func(n string) bool { return !strings.Contains(n, "/msg/") })
}

// completeMessage returns the message with its defaults, to be edited.
func completeMessage(_ context.Context, s *session) []string {
	t, err := s.passedType(s.args.value("message_type", ""), "msg")
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
	for _, n := range s.env.TypeNames {
		if service, ok := strings.CutSuffix(n, "_Request"); ok {
			names = append(names, service)
		}
	}
	return names
}

func completeRequest(_ context.Context, s *session) []string {
	t, err := s.passedService(s.args.value("service_type", ""))
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
