// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"fmt"
	"io"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/service_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// DefinedMessage is a [Message] with its definition, as all generated ones are. Nodes return the definition from
// ~/get_type_description.
type DefinedMessage interface {
	Message
	// TypeDefinition returns the constants and fields in the syntax of .msg files, nested types by their full names,
	// and a message of each nested type; nil pointers suffice.
	TypeDefinition() (text string, nested []cdr.Message)
}

// usedType is the type of one of a node's topics or services.
type usedType struct {
	name, hash string
	// message is of a topic's type; request and response are a service's.
	message, request, response Message
}

// typeUser is an endpoint with a known type.
type typeUser interface{ usedType() usedType }

// usedTypes returns the types of all endpoints of the node.
func (n *Node) usedTypes() []usedType {
	n.mu.Lock()
	endpoints := make([]io.Closer, 0, len(n.endpoints))
	for e := range n.endpoints {
		endpoints = append(endpoints, e)
	}
	n.mu.Unlock()
	var out []usedType
	for _, e := range endpoints {
		if u, ok := e.(typeUser); ok {
			out = append(out, u.usedType())
		}
	}
	return out
}

func (e *endpoint) usedType() usedType {
	return usedType{name: e.typ, hash: e.message.TypeHash(), message: e.message}
}

// serviceUse returns the type of a service; hash is empty if t does not have it and request and response have no
// definition.
func serviceUse[PReq, PRes Message, Req, Res any](t ServiceType[Req, Res]) usedType {
	var request PReq
	var response PRes
	u := usedType{name: t.ROSType(), request: request, response: response}
	if hashed, ok := t.(interface{ TypeHash() string }); ok {
		u.hash = hashed.TypeHash()
	} else if typ, _, err := u.resolve(); err == nil {
		u.hash = typ.Hash()
	}
	return u
}

// resolve returns the type and the definitions that it uses, by name.
func (u usedType) resolve() (*dynamic.Type, definitions, error) {
	all := definitions{}
	for _, m := range []Message{u.message, u.request, u.response} {
		if m == nil {
			continue
		}
		if err := all.add(m); err != nil {
			return nil, nil, err
		}
	}
	if u.message == nil {
		if err := all.addService(u.name); err != nil {
			return nil, nil, err
		}
	}
	typ, err := dynamic.Resolve(u.name, all.lookup)
	return typ, all, err
}

// definitions are texts by the names of types.
type definitions map[string]string

func (d definitions) lookup(rosType string) (text string, ok bool) {
	text, ok = d[rosType]
	return text, ok
}

// TypeHashOf computes the hash (REP 2016) of a message type from its definition, for types that are built at run time.
// The error is that of [dynamic.Resolve].
func TypeHashOf(m DefinedMessage) (string, error) {
	all := definitions{}
	if err := all.add(m); err != nil {
		return "", err
	}
	typ, err := dynamic.Resolve(m.ROSType(), all.lookup)
	if err != nil {
		return "", err
	}
	return typ.Hash(), nil
}

// add adds the definition of m and of all types it refers to.
func (d definitions) add(m cdr.Message) error {
	defined, ok := m.(DefinedMessage)
	if !ok {
		return fmt.Errorf("%w: %T has no definition", dynamic.ErrUnknownType, m)
	}
	if _, seen := d[defined.ROSType()]; seen {
		return nil
	}
	text, nested := defined.TypeDefinition()
	d[defined.ROSType()] = text
	for _, n := range nested {
		if err := d.add(n); err != nil {
			return err
		}
	}
	return nil
}

// addService adds the type of a service in addition to its request and response: it has three members, of which the
// third is the event that service introspection publishes (REP 2011).
func (d definitions) addService(name string) error {
	request, response, event := name+"_Request", name+"_Response", name+"_Event"
	d[name] = fmt.Sprintf("%s request_message\n%s response_message\n%s event_message\n", request, response, event)
	d[event] = fmt.Sprintf("service_msgs/msg/ServiceEventInfo info\n%s[<=1] request\n%s[<=1] response\n", request, response)
	return d.add((*service_msgs.ServiceEventInfo)(nil))
}
