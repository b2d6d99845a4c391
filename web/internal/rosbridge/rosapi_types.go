// SPDX-License-Identifier: Apache-2.0

package rosbridge

import (
	"context"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
	"github.com/epuck-ros2/epuck-driver/web/internal/hub"
)

// rawTypes lists topics with the definitions of their types as bags hold them. Foxglove's connection to rosbridge
// begins with this. A type that no node describes has a comment, as in rosapi.
func (c *client) rawTypes(g *hub.Graph, q *query) map[string]any {
	answer := topics(g, q)
	texts := []string{}
	for _, t := range g.Topics {
		if internalName(t.Name) {
			continue
		}
		if typ, ok := c.hub.Type(t); ok {
			texts = append(texts, typ.MsgText())
		} else {
			texts = append(texts, "# no definition of "+t.Type+" is known")
		}
	}
	answer["typedefs_full_text"] = texts
	return answer
}

// details returns the service that describes a type, or a part of it as in "_Request", and all types in its fields.
func (c *client) details(kind, suffix string) func(context.Context, *query) (map[string]any, error) {
	return func(_ context.Context, q *query) (map[string]any, error) {
		name := dynamic.FullName(q.Type, kind) + suffix
		t, err := c.anyType(name)
		if err != nil {
			return nil, err
		}
		defs := []map[string]any{typeDef(t)}
		for _, r := range t.References() {
			defs = append(defs, typeDef(r))
		}
		return map[string]any{"typedefs": defs}, nil
	}
}

// anyType returns a type that this program knows or that a node of the network describes.
func (c *client) anyType(name string) (*dynamic.Type, error) {
	known, err := c.hub.Known(name)
	if err == nil {
		return known, nil
	}
	g := c.hub.Graph()
	if i := slices.IndexFunc(g.Topics, func(t hub.Topic) bool { return t.Type == name }); i >= 0 {
		if t, ok := c.hub.Type(g.Topics[i]); ok {
			return t, nil
		}
	}
	for _, s := range g.Services {
		request, response, ok := partOf(c, s, name)
		switch {
		case !ok:
		case strings.HasSuffix(name, "_Response"):
			return response, nil
		case strings.HasSuffix(name, "_Request"):
			return request, nil
		}
	}
	return nil, err
}

// partOf returns the messages of a service, if name is one of them.
func partOf(c *client, s hub.Service, name string) (request, response *dynamic.Type, ok bool) {
	if name != s.Type+"_Request" && name != s.Type+"_Response" {
		return nil, nil, false
	}
	return c.hub.ServiceType(s)
}

// typeDef describes a type as rosapi_msgs/msg/TypeDef does. Constants are not listed.
func typeDef(t *dynamic.Type) map[string]any {
	names, types, lengths, examples := []string{}, []string{}, []int{}, []string{}
	for i := range t.Fields {
		f := &t.Fields[i]
		names = append(names, f.Name)
		types = append(types, idlType(f))
		length, example := -1, exampleOf(f)
		switch f.Container {
		case dynamic.Array:
			length, example = f.Size, "[]"
		case dynamic.Bounded, dynamic.Sequence:
			length, example = 0, "[]"
		}
		lengths, examples = append(lengths, length), append(examples, example)
	}
	return map[string]any{
		"type": shortType(t.Name), "fieldnames": names, "fieldtypes": types, "fieldarraylen": lengths, "examples": examples,
		"constnames": []string{}, "constvalues": []string{},
	}
}

// shortType removes the middle part of a name, as in "std_msgs/Header".
func shortType(name string) string {
	parts := strings.Split(name, "/")
	if len(parts) != 3 {
		return name
	}
	return parts[0] + "/" + parts[2]
}

// idlType returns the type of a field, or of its elements, by the names of IDL, which rclpy and rosapi use.
func idlType(f *dynamic.Field) string {
	switch f.Kind {
	case dynamic.Nested:
		return shortType(f.Type.Name)
	case dynamic.Bool:
		return "boolean"
	case dynamic.Byte:
		return "octet"
	case dynamic.Float32:
		return "float"
	case dynamic.Float64:
		return "double"
	}
	return f.Kind.String()
}

// exampleOf returns the text of a new value, in Python's form.
func exampleOf(f *dynamic.Field) string {
	switch f.Kind {
	case dynamic.Nested:
		return "{}"
	case dynamic.Bool:
		return "False"
	case dynamic.Float32, dynamic.Float64:
		return "0.0"
	case dynamic.String:
		return ""
	}
	return "0"
}
