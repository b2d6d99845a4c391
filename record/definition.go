// SPDX-License-Identifier: Apache-2.0

package record

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/type_description_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// encodingMsg is MCAP's name for definitions in the syntax of .msg files; without one a schema has no encoding.
const encodingMsg = "ros2msg"

// eventInfo is the first member of a service's events.
const eventInfo = "service_msgs/msg/ServiceEventInfo"

// definition is what a schema holds.
type definition struct {
	encoding, text string
	from           string // for the log
}

// known returns the definition of a type that we have, if it is the one with the given hash; an empty hash is any.
func known(rosType, hash string, lookup dynamic.Lookup) (definition, bool) {
	t, err := dynamic.Resolve(rosType, withEvents(lookup))
	if err != nil || hash != "" && t.Hash() != hash {
		return definition{}, false
	}
	return definition{encodingMsg, schemaText(t), "known"}, true
}

// withEvents adds the events of known services, which are made of their halves (REP 2011).
func withEvents(lookup dynamic.Lookup) dynamic.Lookup {
	return func(name string) (string, bool) {
		service, isEvent := strings.CutSuffix(name, "_Event")
		if !isEvent || !strings.Contains(name, "/srv/") {
			return lookup(name)
		}
		request, response := service+"_Request", service+"_Response"
		if _, ok := lookup(request); !ok {
			return "", false
		}
		return fmt.Sprintf("%s info\n%s[<=1] request\n%s[<=1] response\n", eventInfo, request, response), true
	}
}

// schemaText writes a type and all it refers to as MCAP holds them: the definition, then each nested one once under a
// line.
func schemaText(t *dynamic.Type) string {
	var b strings.Builder
	writeFields(&b, t)
	for _, r := range t.References() {
		fmt.Fprintf(&b, "\n%s\nMSG: %s\n", strings.Repeat("=", 80), shortName(r.Name))
		writeFields(&b, r)
	}
	return b.String()
}

// shortName is how .msg files name a type: geometry_msgs/Point.
func shortName(rosType string) string {
	pkg, rest, _ := strings.Cut(rosType, "/")
	if i := strings.LastIndexByte(rest, '/'); i >= 0 {
		rest = rest[i+1:]
	}
	return pkg + "/" + rest
}

func writeFields(b *strings.Builder, t *dynamic.Type) {
	for i := range t.Fields {
		f := &t.Fields[i]
		name := f.Kind.String()
		if f.Kind == dynamic.Nested {
			name = shortName(f.Type.Name)
		}
		if f.StringBound > 0 {
			name += fmt.Sprintf("<=%d", f.StringBound)
		}
		switch f.Container {
		case dynamic.Array:
			name += fmt.Sprintf("[%d]", f.Size)
		case dynamic.Bounded:
			name += fmt.Sprintf("[<=%d]", f.Size)
		case dynamic.Sequence:
			name += "[]"
		}
		b.WriteString(name + " " + f.Name)
		if f.Default != nil {
			b.WriteString(" " + f.DefaultText())
		}
		b.WriteByte('\n')
	}
}

// askTime bounds a question for a type.
const askTime = 3 * time.Second

// ask asks the nodes of the endpoints for the definition of their type (~/get_type_description of ROS 2 Iron and
// later). The answer must have the hash that they announce.
func ask(ctx context.Context, n *ros2.Node, endpoints []ros2.EndpointInfo, lookup dynamic.Lookup) (definition, error) {
	err := fmt.Errorf("%w: the publishers announce no hash, as in ROS 2 Humble", dynamic.ErrUnknownType)
	for _, e := range endpoints {
		if e.TypeHash == "" || e.Node.Name == "" {
			continue
		}
		var t *dynamic.Type
		if t, err = askNode(ctx, n, e, lookup); err == nil {
			return definition{encodingMsg, schemaText(t), e.Node.FullName()}, nil
		}
	}
	return definition{}, err
}

func askNode(ctx context.Context, n *ros2.Node, e ros2.EndpointInfo, lookup dynamic.Lookup) (*dynamic.Type, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	client, err := ros2.NewClient(n, type_description_interfaces.GetTypeDescription{}, e.Node.FullName()+"/get_type_description")
	if err != nil {
		return nil, err
	}
	defer func() { _ = client.Close() }() // what it was asked is answered, or not
	if err := client.WaitAvailable(ctx); err != nil {
		return nil, fmt.Errorf("%s: %w", client.Name(), err)
	}
	answer, err := client.Call(ctx, &type_description_interfaces.GetTypeDescriptionRequest{TypeName: e.Type, TypeHash_: e.TypeHash})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", client.Name(), err)
	}
	if !answer.Successful {
		return nil, fmt.Errorf("%w: %s: %s", dynamic.ErrUnknownType, client.Name(), answer.FailureReason)
	}
	payload, err := cdr.Marshal(nil, &answer.TypeDescription)
	if err != nil {
		return nil, err
	}
	shape, err := dynamic.Resolve(answer.TypeDescription.ROSType(), lookup)
	if err != nil {
		return nil, err
	}
	described, err := dynamic.Decode(shape, payload)
	if err != nil {
		return nil, err
	}
	t, err := dynamic.FromDescription(described)
	if err == nil && (t.Name != e.Type || t.Hash() != e.TypeHash) {
		err = fmt.Errorf("%w: %s describes %s with the hash %s instead of %s", dynamic.ErrUnknownType, client.Name(), t.Name, t.Hash(), e.TypeHash)
	}
	return t, err
}
