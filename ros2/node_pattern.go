// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/internal/suggest"
)

// validateNodePattern checks the full name of a node in which "*" matches one word and "**" any number of words,
// including none.
func validateNodePattern(pattern string) error {
	const what = "node name pattern"
	pos := 0
	for _, word := range strings.Split(pattern, "/")[1:] {
		pos++ // the slash
		if word != "*" && word != "**" {
			if word == "" {
				return &NameError{what, pattern, pos - 1, "a word is empty"}
			}
			for i := 0; i < len(word); i++ {
				if !isWord(word[i]) {
					return &NameError{what, pattern, pos + i, "only letters, digits, underscores, slashes and the wildcards * and ** are allowed"}
				}
			}
		}
		pos += len(word)
	}
	return checkLength(what, pattern, maxNodeName)
}

// matchNode reports whether the full name of a node matches the pattern.
func matchNode(pattern, name string) bool {
	return matchWords(strings.Split(pattern, "/")[1:], strings.Split(name, "/")[1:])
}

// matchWords backtracks only to the last "**", since what precedes it has matched, so the time is at most the product
// of the lengths.
func matchWords(pattern, words []string) bool {
	p, w := 0, 0
	star, resume := -1, 0
	for w < len(words) {
		switch {
		case p < len(pattern) && pattern[p] == "**":
			star, resume = p, w
			p++
		case p < len(pattern) && (pattern[p] == "*" || pattern[p] == words[w]):
			p++
			w++
		case star >= 0:
			resume++
			p, w = star+1, resume
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == "**" {
		p++
	}
	return p == len(pattern)
}

// overridesFor returns the overrides that apply to a node, later ones last.
func (a Args) overridesFor(node NodeName) []override {
	var out []override
	for _, o := range a.overrides {
		if matchNode(o.node, node.FullName()) {
			out = append(out, o)
		}
	}
	return out
}

// UnusedParameter is a parameter that a command line or a parameter file sets but no node declares: most likely a
// typing error.
type UnusedParameter struct {
	// Name is the parameter, Node the node or pattern given with it.
	Name, Node string
	// Origin is the argument, or file:line:column.
	Origin string
	// Near are similar names that may have been meant: of parameters, or of nodes if NoNode is set.
	Near []string
	// NoNode means that no node's name matches Node.
	NoNode bool
}

// String describes the error and suggests similar names.
func (u UnusedParameter) String() string {
	near := ""
	if len(u.Near) > 0 {
		near = "; did you mean '" + strings.Join(u.Near, "' or '") + "'?"
	}
	if u.NoNode {
		return fmt.Sprintf("no node is called %s%s (%s)", u.Node, near, u.Origin)
	}
	return fmt.Sprintf("there is no parameter %q%s (%s)", u.Name, near, u.Origin)
}

// UnusedParameters returns the parameters of a command line that none of its nodes declares, each once; a node that
// does not exist is reported once, with its first parameter. Call it after the nodes have declared their parameters.
// QoS overrides, which endpoints declare when they are created, are ignored.
func UnusedParameters(args Args, nodes ...*Node) (all []UnusedParameter) {
	type known struct{ node, name string }
	seen := map[known]bool{}
	for _, o := range args.overrides {
		fits := nodesOf(o.node, nodes)
		u := UnusedParameter{Name: o.name, Node: o.node, Origin: o.origin, NoNode: len(fits) == 0}
		key := known{o.node, o.name}
		if u.NoNode {
			key.name = ""
		}
		if seen[key] || strings.HasPrefix(o.name, "qos_overrides.") || isDeclared(o.name, fits) {
			continue
		}
		seen[key] = true
		u.Near = suggest.Near(o.name, declared(fits))
		if u.NoNode {
			u.Near = nearNodes(o.node, nodes)
		}
		all = append(all, u)
	}
	return all
}

// nodesOf returns the nodes that match a pattern.
func nodesOf(pattern string, nodes []*Node) (fits []*Node) {
	for _, n := range nodes {
		if matchNode(pattern, n.FullName()) {
			fits = append(fits, n)
		}
	}
	return fits
}

// isDeclared reports whether a node has declared a parameter.
func isDeclared(name string, nodes []*Node) bool {
	for _, n := range nodes {
		if _, ok := n.Parameters().lookup(name); ok {
			return true
		}
	}
	return false
}

// declared returns the names of all parameters of nodes, each once.
func declared(nodes []*Node) []string {
	names := map[string]bool{}
	for _, n := range nodes {
		for _, p := range n.Parameters().All() {
			names[p.Name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// nearNodes suggests full names of nodes for a misspelled one: similar names, or else those that differ only in the
// namespace, at most three.
func nearNodes(wanted string, nodes []*Node) []string {
	var names, elsewhere []string
	last := wanted[strings.LastIndexByte(wanted, '/')+1:]
	for _, n := range nodes {
		names = append(names, n.FullName())
		if n.Name().Name == last {
			elsewhere = append(elsewhere, n.FullName())
		}
	}
	if near := suggest.Near(wanted, names); len(near) > 0 {
		return near
	}
	return elsewhere[:min(len(elsewhere), 3)]
}
