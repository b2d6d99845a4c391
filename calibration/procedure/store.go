// SPDX-License-Identifier: Apache-2.0

package procedure

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/epuck-ros2/epuck-driver/internal/filekind"
	"github.com/epuck-ros2/epuck-driver/internal/regular"
)

// errFile is matched by errors about a parameter file that can't be changed.
var errFile = errors.New("calibrate: bad parameter file")

// maxFile is the maximum size of parameter files and journals, bytes.
const maxFile = 64 << 20

// Store writes settings to the ROS 2 parameter file at a path, for the node called driver. Other content of the file,
// including comments, is preserved. A missing file is created.
func Store(path, driver string, settings []Setting) error {
	data, err := regular.Read(path, maxFile)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("calibrate: %w", err)
	}
	if err := checkKind(path, data, filekind.Empty); err != nil {
		return err
	}
	out, err := withSettings(data, driver, settings)
	if err != nil {
		return filekind.ExplainData(path, data, fmt.Errorf("%s: %w", path, err), filekind.Parameters, filekind.Empty)
	}
	return ReplaceFile(path, out)
}

// checkKind returns an error if the content is of another kind than a parameter file: as YAML or JSON it might parse,
// and a setting would be written to it.
func checkKind(path string, data []byte, accepted ...filekind.Kind) error {
	err := filekind.ExplainData(path, data, errFile, append(accepted, filekind.Parameters)...)
	if err == errFile { //nolint:errorlint // identical if ExplainData adds nothing
		return nil
	}
	return err
}

// withSettings returns the text of a parameter file with the settings applied.
func withSettings(data []byte, driver string, settings []Setting) ([]byte, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Errorf("%w: %w", errFile, err)
	}
	if doc.Kind == 0 {
		doc = yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{{Kind: yaml.MappingNode, Tag: "!!map"}}}
	}
	root := doc.Content[0]
	if root.Kind == yaml.ScalarNode && root.Value == "" {
		*root = yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	}
	node, err := section(root, driver)
	if err != nil {
		return nil, err
	}
	params, err := child(node, "ros__parameters")
	if err != nil {
		return nil, err
	}
	for _, s := range settings {
		if err := setParameter(params, s); err != nil {
			return nil, err
		}
	}
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := errors.Join(e.Encode(&doc), e.Close()); err != nil {
		return nil, fmt.Errorf("%w: %w", errFile, err)
	}
	return b.Bytes(), nil
}

// section returns the mapping of a node in the file: by its name, with or without namespace. It is created if
// missing.
func section(root *yaml.Node, driver string) (*yaml.Node, error) {
	if root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("%w: line %d: it is not a mapping of nodes", errFile, root.Line)
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if k := root.Content[i].Value; strings.TrimPrefix(k, "/") == strings.TrimPrefix(driver, "/") || strings.HasSuffix(k, "/"+driver) {
			return child(root, k)
		}
	}
	return child(root, driver)
}

// child returns the mapping under a key, which is created if missing.
func child(m *yaml.Node, key string) (*yaml.Node, error) {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value != key {
			continue
		}
		v := m.Content[i+1]
		if v.Kind == yaml.ScalarNode && v.Tag == "!!null" {
			*v = yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
		}
		if v.Kind != yaml.MappingNode {
			return nil, fmt.Errorf("%w: line %d: %s is not a mapping", errFile, v.Line, key)
		}
		return v, nil
	}
	v := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	m.Content = append(m.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key}, v)
	return v, nil
}

// setParameter sets a parameter; a name with dots may be present as nested mappings.
func setParameter(params *yaml.Node, s Setting) error {
	v, err := valueNode(s)
	if err != nil {
		return err
	}
	first, rest, dotted := strings.Cut(s.Name, ".")
	for i := 0; i+1 < len(params.Content); i += 2 {
		switch k, old := params.Content[i].Value, params.Content[i+1]; {
		case k == s.Name:
			v.LineComment = old.LineComment
			*old = *v
			return nil
		case dotted && k == first && old.Kind == yaml.MappingNode:
			return setParameter(old, Setting{rest, s.Value})
		}
	}
	params.Content = append(params.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s.Name}, v)
	return nil
}

func valueNode(s Setting) (*yaml.Node, error) {
	switch v := s.Value.(type) {
	case float64:
		return number(v), nil
	case string:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: v, Style: yaml.DoubleQuotedStyle}, nil
	case []float64:
		n := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Style: yaml.FlowStyle}
		for _, x := range v {
			n.Content = append(n.Content, number(x))
		}
		return n, nil
	}
	return nil, fmt.Errorf("%w: parameter %q holds a %T", errFile, s.Name, s.Value)
}

// number formats a double as ROS's parser requires: with a decimal point.
func number(v float64) *yaml.Node {
	text := strconv.FormatFloat(v, 'g', 9, 64)
	if mantissa, exponent, ok := strings.Cut(text, "e"); !strings.Contains(mantissa, ".") {
		text = mantissa + ".0"
		if ok {
			text += "e" + exponent
		}
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!float", Value: text}
}

// Stored reads the string and double parameters of the node called driver from a file: nil if the file does not
// exist.
func Stored(path, driver string) (map[string]any, error) {
	data, err := regular.Read(path, maxFile)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("calibrate: %w", err)
	}
	if err := checkKind(path, data); err != nil {
		return nil, err
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil || doc.Kind == 0 {
		return nil, filekind.ExplainData(path, data, fmt.Errorf("%w: %s: %w", errFile, path, errors.Join(err)), filekind.Parameters)
	}
	node, err := section(doc.Content[0], driver)
	if err != nil {
		return nil, err
	}
	params, err := child(node, "ros__parameters")
	if err != nil {
		return nil, err
	}
	out := map[string]any{}
	flatten(params, "", out)
	return out, nil
}

func flatten(m *yaml.Node, prefix string, out map[string]any) {
	for i := 0; i+1 < len(m.Content); i += 2 {
		name, v := prefix+m.Content[i].Value, m.Content[i+1]
		var f float64
		var fs []float64
		switch {
		case v.Kind == yaml.MappingNode:
			flatten(v, name+".", out)
		case v.Kind == yaml.ScalarNode && v.Tag == "!!str":
			out[name] = v.Value
		case v.Kind == yaml.SequenceNode && v.Decode(&fs) == nil:
			out[name] = fs
		case v.Kind == yaml.ScalarNode && v.Decode(&f) == nil:
			out[name] = f
		}
	}
}
