// SPDX-License-Identifier: Apache-2.0

package record

import (
	"fmt"
	"strings"

	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// encodingMsg is MCAP's name for definitions in the syntax of .msg files; without one a schema has no encoding.
const encodingMsg = "ros2msg"

// eventInfo is the first member of a service's events.
const eventInfo = "service_msgs/msg/ServiceEventInfo"

// definition is the content of a schema.
type definition struct {
	encoding, text string
}

// known returns the definition of a type that one of the lookups has with the given hash; with an empty hash, that of
// the first lookup.
func known(rosType, hash string, lookups []dynamic.Lookup) (definition, bool) {
	for _, lookup := range lookups {
		t, err := dynamic.Resolve(rosType, withEvents(lookup))
		if err == nil && (hash == "" || t.Hash() == hash) {
			return definition{encodingMsg, schemaText(t)}, true
		}
	}
	return definition{}, false
}

// withEvents adds the events of known services, which are made from their requests and responses (REP 2011).
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

// schemaText returns a type and all types it refers to in MCAP's form: the definition, then each nested one once
// after a separator.
func schemaText(t *dynamic.Type) string {
	var b strings.Builder
	writeFields(&b, t)
	for _, r := range t.References() {
		fmt.Fprintf(&b, "\n%s\nMSG: %s\n", strings.Repeat("=", 80), shortName(r.Name))
		writeFields(&b, r)
	}
	return b.String()
}

// shortName is the name of a type in .msg files: geometry_msgs/Point.
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
