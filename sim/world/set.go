// SPDX-License-Identifier: Apache-2.0

package world

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// settingsFile is used in errors in place of a file name; the line is the number of the setting.
const settingsFile = "--set"

// setting is a field that gets another value than a world file gives it: KEY=VALUE, as in robots[0].level=functional.
// The value is YAML; an empty one removes the field. A leading "world." of the key is optional. Items of a list are
// selected by their index from 0, their name, or * for all.
type setting struct {
	steps []settingStep
	value *yaml.Node // nil: remove the field
	line  int        // number of the setting, from 1
}

// settingStep is a part of a key: a field or an item of a list.
type settingStep struct {
	name   string
	item   bool // an index, a name or * in brackets
	column int  // in the text of the setting, from 1
}

// parseSetting reads KEY=VALUE.
func parseSetting(text string, line int) (setting, error) {
	s := setting{line: line}
	key, value, found := strings.Cut(text, "=")
	if !found {
		return s, s.errorAt(1, "%q: must be KEY=VALUE", text)
	}
	if err := s.parseKey(key); err != nil {
		return s, err
	}
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(value), &root); err != nil {
		return s, s.errorAt(len(key)+2, "%s: %s", key, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if s.value = expand(&root, 0); s.value != nil && (s.value.Kind == 0 || s.value.Tag == "!!null") {
		s.value = nil
	}
	s.place(s.value, len(key)+2)
	return s, nil
}

// parseKey splits a key into its steps.
func (s *setting) parseKey(key string) error {
	at := 0
	if rest, ok := strings.CutPrefix(key, "world."); ok {
		at = len(key) - len(rest)
	}
	for at < len(key) || len(s.steps) == 0 {
		step := settingStep{column: at + 1, item: at < len(key) && key[at] == '['}
		var end int
		if step.item {
			end = strings.IndexByte(key[at:], ']')
			if end < 0 {
				return s.errorAt(at+1, "%s: the bracket is not closed", key)
			}
			step.name = key[at+1 : at+end]
			end += at + 1
		} else {
			end = at + strings.IndexAny(key[at:]+".", ".[")
			step.name = key[at:end]
		}
		if step.name == "" {
			return s.errorAt(at+1, "%q: the name of a field is missing", key)
		}
		s.steps = append(s.steps, step)
		if at = end; at < len(key) && key[at] == '.' {
			if at++; at == len(key) {
				return s.errorAt(at, "%q: the name of a field is missing", key)
			}
		}
	}
	return nil
}

// errorAt returns what is wrong at a column of the setting.
func (s *setting) errorAt(column int, format string, args ...any) error {
	return &positionError{line: -s.line, column: column, text: fmt.Sprintf(format, args...)}
}

// place moves the nodes of the value to where they are in the setting; negative lines are those of settings.
func (s *setting) place(n *yaml.Node, column int) {
	if n == nil {
		return
	}
	n.Line, n.Column = -s.line, n.Column+column-1
	for _, item := range n.Content {
		s.place(item, column)
	}
}

// applySettings returns a world file's tree with other values for some fields.
func applySettings(root *yaml.Node, settings []string) (*yaml.Node, error) {
	root = expand(root, 0)
	for i, text := range settings {
		s, err := parseSetting(text, i+1)
		if err != nil {
			return nil, err
		}
		if err := s.apply(root, reflect.TypeFor[World](), 0); err != nil {
			return nil, err
		}
	}
	return root, nil
}

// expand copies a tree, with what its aliases and merge keys stand for.
func expand(n *yaml.Node, depth int) *yaml.Node {
	if n = resolve(n); n == nil || depth > maxDepth {
		return nil
	}
	c := *n
	c.Anchor, c.Content = "", nil
	for i, item := range n.Content {
		switch {
		case n.Kind != yaml.MappingNode:
			c.Content = append(c.Content, expand(item, depth+1))
		case i%2 == 0 && item.Tag != "!!merge":
			c.Content = append(c.Content, expand(item, depth+1), expand(n.Content[i+1], depth+1))
		case i%2 == 0:
			mergeInto(&c, n, resolve(n.Content[i+1]), depth)
		}
	}
	return &c
}

// maxDepth bounds the depth of an expanded tree; a valid world file has far less.
const maxDepth = 64

// mergeInto adds to a copy of a mapping the fields that a merge key brings in.
func mergeInto(c, of, from *yaml.Node, depth int) {
	list := []*yaml.Node{from}
	if from != nil && from.Kind == yaml.SequenceNode {
		list = from.Content
	}
	for _, m := range list {
		merged := expand(m, depth+1)
		if merged == nil || merged.Kind != yaml.MappingNode {
			continue
		}
		for i := 0; i+1 < len(merged.Content); i += 2 {
			if key := merged.Content[i]; keyIndex(of, key.Value) < 0 && keyIndex(c, key.Value) < 0 {
				c.Content = append(c.Content, key, merged.Content[i+1])
			}
		}
	}
}

// keyIndex returns the index of a key in the content of a mapping, -1 if there is none.
func keyIndex(n *yaml.Node, name string) int {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name && n.Content[i].Tag != "!!merge" {
			return i
		}
	}
	return -1
}

// apply changes the tree below a node, of a type, from a step on.
func (s *setting) apply(n *yaml.Node, t reflect.Type, at int) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if s.steps[at].item {
		return s.applyItem(n, t, at)
	}
	step := s.steps[at]
	if t.Kind() != reflect.Struct || n.Kind != yaml.MappingNode {
		return s.errorAt(step.column, "%s: %s has no fields", s.path(at+1), s.path(at))
	}
	field, known := fieldType(t, step.name)
	if !known {
		return s.errorAt(step.column, "%s: there is no such field%s", s.path(at+1), hint(step.name, fieldNames(t)))
	}
	i := keyIndex(n, step.name)
	switch last := at+1 == len(s.steps); {
	case last && s.value == nil && i >= 0:
		n.Content = slices.Delete(n.Content, i, i+2)
		return nil
	case last && s.value == nil:
		return nil
	case last && i >= 0:
		n.Content[i+1] = expand(s.value, 0)
		return nil
	case i < 0:
		value := expand(s.value, 0)
		if !last {
			value = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: -s.line, Column: step.column}
		}
		key := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: step.name, Line: -s.line, Column: step.column}
		n.Content = append(n.Content, key, value)
		i = len(n.Content) - 2
		if last {
			return nil
		}
		if s.steps[at+1].item {
			return s.errorAt(s.steps[at+1].column, "%s: the world has no %s", s.path(at+2), s.path(at+1))
		}
	}
	return s.apply(n.Content[i+1], field, at+1)
}

// applyItem changes the items of a list that a step selects.
func (s *setting) applyItem(n *yaml.Node, t reflect.Type, at int) error {
	step := s.steps[at]
	if t.Kind() != reflect.Slice && t.Kind() != reflect.Array || n.Kind != yaml.SequenceNode {
		return s.errorAt(step.column, "%s: %s is no list", s.path(at+1), s.path(at))
	}
	selected, names := selectItems(n, step.name)
	if len(selected) == 0 {
		text := fmt.Sprintf("%s: there are %d, counted from 0", s.path(at+1), len(n.Content))
		if len(names) > 0 {
			text += hint(step.name, names)
		}
		return s.errorAt(step.column, "%s", text)
	}
	for _, i := range selected {
		switch {
		case at+1 < len(s.steps):
			if err := s.apply(n.Content[i], t.Elem(), at+1); err != nil {
				return err
			}
		case s.value == nil:
			return s.errorAt(step.column, "%s: must not be empty", s.path(at+1))
		default:
			n.Content[i] = expand(s.value, 0)
		}
	}
	return nil
}

// selectItems returns the indices of the items that an index, a name or * means, and the names that there are.
func selectItems(n *yaml.Node, selector string) (selected []int, names []string) {
	index, err := strconv.Atoi(selector)
	for i, item := range n.Content {
		name := ""
		if f := field(item, "name", 0); f != nil {
			name = f.Value
			names = append(names, name)
		}
		if selector == "*" || err == nil && i == index || err != nil && name == selector {
			selected = append(selected, i)
		}
	}
	return selected, names
}

// path writes the first steps as errors name a field.
func (s *setting) path(steps int) string {
	var b strings.Builder
	for i, step := range s.steps[:steps] {
		switch {
		case step.item:
			b.WriteString("[" + step.name + "]")
		case i > 0:
			b.WriteString("." + step.name)
		default:
			b.WriteString(step.name)
		}
	}
	if steps == 0 {
		return "the world"
	}
	return b.String()
}

// CompleteSetting returns the keys that may be meant by the beginning of a setting, for shells: fields of the world
// and of what is typed so far. Items of a list are completed by *.
func CompleteSetting(typed string) (keys []string) {
	prefix, t := "", reflect.TypeFor[World]()
	if strings.HasPrefix(typed, "world.") {
		prefix = "world."
	}
	for {
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		rest := typed[len(prefix):]
		if t.Kind() == reflect.Slice {
			end := strings.IndexByte(rest, ']')
			if !strings.HasPrefix(rest, "[") || end < 0 {
				return completions(prefix, rest, "[*]")
			}
			prefix, t = prefix+rest[:end+1], t.Elem()
			if prefix == typed {
				return completions(prefix, "", ".")
			}
			continue
		}
		rest, dotted := strings.CutPrefix(rest, ".")
		if dotted {
			prefix += "."
		}
		if t.Kind() != reflect.Struct || strings.Contains(rest, "=") {
			return nil
		}
		end := strings.IndexAny(rest, ".[")
		if end < 0 {
			return completions(prefix, rest, fieldNames(t)...)
		}
		field, known := fieldType(t, rest[:end])
		if !known {
			return nil
		}
		prefix, t = prefix+rest[:end], field
	}
}

// completions returns a prefix with each of the words that begin with what is typed.
func completions(prefix, typed string, words ...string) (all []string) {
	for _, w := range words {
		if strings.HasPrefix(w, typed) && w != "" {
			all = append(all, prefix+w)
		}
	}
	return all
}
