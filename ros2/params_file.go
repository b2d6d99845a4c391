// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/epuck-ros2/epuck-driver/internal/filekind"
	"github.com/epuck-ros2/epuck-driver/internal/regular"
	"github.com/epuck-ros2/epuck-driver/internal/suggest"
	"github.com/epuck-ros2/epuck-driver/internal/textplace"
)

// paramsFile reads the value of --params-file.
func (p *argParser) paramsFile(path string) error {
	data, err := regular.Read(path, maxParamsFile)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrParamsFile, err)
	}
	overrides, err := parseParams(data, path)
	if len(bytes.TrimSpace(data)) == 0 {
		err = fmt.Errorf("%w: %s: there is nothing in it", ErrParamsFile, path)
	}
	if err != nil {
		return filekind.ExplainData(path, data, err, filekind.Parameters)
	}
	p.out.overrides = append(p.out.overrides, overrides...)
	return nil
}

// param reads the value of -p: "[node:]name:=value", the value being YAML.
func (p *argParser) param(value string) error {
	name, text, ok := strings.Cut(value, ":=")
	if !ok {
		return errors.New(`want "name:=value"`)
	}
	o := override{node: "/**", name: name, origin: "-p " + value}
	if node, rest, ok := strings.Cut(name, ":"); ok {
		o.node, o.name = absolute(node), rest
		if err := validateNodePattern(o.node); err != nil {
			return err
		}
	}
	if err := validateParameterName(o.name); err != nil {
		return err
	}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return err
	}
	if len(doc.Content) == 0 {
		return errors.New("the value is empty")
	}
	raw, err := rawFromYAML(doc.Content[0])
	if err != nil {
		return err
	}
	o.raw = raw
	p.out.overrides = append(p.out.overrides, o)
	return nil
}

func (p *argParser) enclave(value string) error {
	if err := ValidateNamespace(value); err != nil {
		return err
	}
	p.out.enclave = value
	return nil
}

func absolute(name string) string {
	if strings.HasPrefix(name, "/") {
		return name
	}
	return "/" + name
}

// paramsKey separates the names of nodes from those of parameters in a parameter file.
const paramsKey = "ros__parameters"

// maxParamsFile bounds the size of a parameter file, in bytes.
const maxParamsFile = 16 << 20

// maxParamsDepth bounds the nesting of a parameter file.
const maxParamsDepth = 32

// paramsParser collects the overrides of one parameter file.
type paramsParser struct {
	file string
	out  []override
}

// parseParams reads a parameter file: node names or patterns, optionally nested by namespace, then "ros__parameters",
// then parameters, nested where their names have dots. file is for messages.
func parseParams(data []byte, file string) ([]override, error) {
	p := paramsParser{file: file}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var doc yaml.Node
		err := dec.Decode(&doc)
		if errors.Is(err, io.EOF) {
			return p.out, nil
		}
		if err != nil {
			return nil, syntaxError(file, data, err)
		}
		if err := p.nodes(doc.Content[0], "", 0); err != nil {
			return nil, err
		}
	}
}

// syntaxError returns an error of the YAML library as "file:line:column: text", which editors understand.
func syntaxError(file string, data []byte, err error) error {
	text, reported := syntaxText(err)
	line, column := textplace.Find(data, func(prefix []byte) bool {
		dec := yaml.NewDecoder(bytes.NewReader(prefix))
		for {
			var doc yaml.Node
			if err := dec.Decode(&doc); err != nil {
				shorter, _ := syntaxText(err)
				return !errors.Is(err, io.EOF) && shorter == text
			}
		}
	})
	switch {
	case line > 0:
		return fmt.Errorf("%w: %s:%d:%d: %s", ErrParamsFile, file, line, column, text)
	case reported > 0:
		return fmt.Errorf("%w: %s:%d: %s", ErrParamsFile, file, reported, text)
	}
	return fmt.Errorf("%w: %s: %s", ErrParamsFile, file, text)
}

// syntaxText returns the text and the line of an error of the YAML library; 0 if it has none.
func syntaxText(err error) (text string, line int) {
	text = strings.TrimPrefix(err.Error(), "yaml: ")
	if _, scan := fmt.Sscanf(text, "line %d:", &line); scan == nil {
		_, text, _ = strings.Cut(text, ": ")
	}
	return text, line
}

// nodes reads a mapping above "ros__parameters"; path is the node's name so far.
func (p *paramsParser) nodes(m *yaml.Node, path string, depth int) error {
	return p.each(m, depth, func(key, value *yaml.Node) error {
		switch {
		case key.Value == paramsKey:
		case len(suggest.Near(key.Value, []string{paramsKey})) > 0:
			return p.fail(key, "%q; did you mean '%s'?", key.Value, paramsKey)
		case value.Kind == yaml.ScalarNode && value.Tag != "!!null":
			return p.fail(key, "%q has a value, but is not below %s", key.Value, paramsKey)
		default:
			return p.nodes(value, path+"/"+strings.Trim(key.Value, "/"), depth+1)
		}
		if path == "" {
			return p.fail(key, "%s has no node name above it", paramsKey)
		}
		if err := validateNodePattern(path); err != nil {
			return p.fail(key, "%w", err)
		}
		return p.params(value, path, "", depth+1)
	})
}

// params reads a mapping below "ros__parameters".
func (p *paramsParser) params(m *yaml.Node, node, prefix string, depth int) error {
	return p.each(m, depth, func(key, value *yaml.Node) error {
		name := prefix + key.Value
		if value.Kind == yaml.MappingNode {
			return p.params(value, node, name+".", depth+1)
		}
		if err := validateParameterName(name); err != nil {
			return p.fail(key, "%w", err)
		}
		raw, err := rawFromYAML(value)
		if err != nil {
			return p.fail(value, "parameter %q: %w", name, err)
		}
		origin := fmt.Sprintf("%s:%d:%d", p.file, key.Line, key.Column)
		p.out = append(p.out, override{node: node, name: name, raw: raw, origin: origin})
		return nil
	})
}

// each calls f with the pairs of a mapping. An empty value is an empty mapping.
func (p *paramsParser) each(m *yaml.Node, depth int, f func(key, value *yaml.Node) error) error {
	switch {
	case m.Kind == yaml.ScalarNode && m.Tag == "!!null":
		return nil
	case m.Kind != yaml.MappingNode:
		return p.fail(m, "want a mapping")
	case depth > maxParamsDepth:
		return p.fail(m, "nested more than %d deep", maxParamsDepth)
	}
	for i := 0; i+1 < len(m.Content); i += 2 {
		key, value := m.Content[i], m.Content[i+1]
		if key.Kind != yaml.ScalarNode || key.Value == "" {
			return p.fail(key, "want a name")
		}
		if err := f(key, value); err != nil {
			return err
		}
	}
	return nil
}

func (p *paramsParser) fail(at *yaml.Node, format string, args ...any) error {
	return fmt.Errorf("%w: %s:%d:%d: %w", ErrParamsFile, p.file, at.Line, at.Column, fmt.Errorf(format, args...))
}

// rawFromYAML converts a scalar or a list of scalars. Aliases are rejected, as by ROS's own parser: with them a small
// file may expand without bound.
func rawFromYAML(n *yaml.Node) (rawValue, error) {
	switch n.Kind {
	case yaml.ScalarNode:
		s, err := scalarFromYAML(n)
		return rawValue{items: []rawScalar{s}}, err
	case yaml.SequenceNode:
		r := rawValue{list: true, items: make([]rawScalar, len(n.Content))}
		for i, item := range n.Content {
			s, err := scalarFromYAML(item)
			if err != nil {
				return rawValue{}, fmt.Errorf("element %d: %w", i, err)
			}
			r.items[i] = s
		}
		return r, nil
	}
	return rawValue{}, errors.New("want a scalar or a list of scalars")
}

func scalarFromYAML(n *yaml.Node) (rawScalar, error) {
	if n.Kind != yaml.ScalarNode {
		return rawScalar{}, errors.New("want a scalar")
	}
	const quotedStyles = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	tagged := n.Style&yaml.TaggedStyle != 0 && n.Tag == "!!str"
	if n.Value == "" && n.Style&quotedStyles == 0 && !tagged {
		return rawScalar{}, errors.New("the value is empty")
	}
	return rawScalar{text: n.Value, quoted: n.Style&quotedStyles != 0 || tagged}, nil
}
