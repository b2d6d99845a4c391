// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"errors"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// Every generated interface has a description with ROS 2's hash (package msgs compares those with a Jazzy build's),
// variants included, and package dynamic parses it.
func TestEveryDefinitionHasItsHash(t *testing.T) {
	all := []msgs.Message{new(jazzy.Range)}
	for _, name := range msgs.Names() {
		newMessage, _ := msgs.Lookup(name)
		all = append(all, newMessage())
	}
	description, err := dynamic.Resolve("type_description_interfaces/msg/TypeDescription", msgs.Definition)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all {
		typ, _, err := usedType{name: m.ROSType(), message: m}.resolve()
		if err != nil {
			t.Fatal(err)
		}
		if typ.Hash() != m.TypeHash() {
			t.Errorf("%s: hash %s, want %s", m.ROSType(), typ.Hash(), m.TypeHash())
		}
		message := descriptionOf(typ)
		data, err := cdr.Marshal(nil, &message)
		if err != nil {
			t.Fatal(err)
		}
		heard, err := dynamic.Decode(description, data)
		if err != nil {
			t.Fatal(err)
		}
		read, err := dynamic.FromDescription(heard)
		if err != nil || read.Hash() != m.TypeHash() {
			t.Errorf("%s read back: %v", m.ROSType(), err)
		}
	}
}

func TestEveryServiceHasItsHash(t *testing.T) {
	for _, name := range msgs.ServiceNames() {
		service, _ := msgs.LookupService(name)
		request, _ := msgs.Lookup(name + "_Request")
		response, _ := msgs.Lookup(name + "_Response")
		typ, _, err := usedType{name: name, request: request(), response: response()}.resolve()
		if err != nil || typ.Hash() != service.TypeHash() {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// unnamed is a service without a hash; broken and strange are messages with wrong nested types.
type unnamed struct{}

func (unnamed) ROSType() string                          { return "std_srvs/srv/Empty" }
func (unnamed) New() (*std_msgs.Empty, *std_msgs.String) { return nil, nil }

type broken struct{ std_msgs.Empty }

func (*broken) ROSType() string                         { return "x/msg/Broken" }
func (*broken) TypeDefinition() (string, []cdr.Message) { return "float65 x\n", nil }

type strange struct{ std_msgs.Empty }

func (*strange) ROSType() string { return "x/msg/Strange" }
func (*strange) TypeDefinition() (string, []cdr.Message) {
	return "x/msg/Other o\n", []cdr.Message{other{}}
}

type other struct{}

func (other) EncodeCDR(*cdr.Encoder) {}
func (other) DecodeCDR(*cdr.Decoder) {}

func TestInvalidDefinitions(t *testing.T) {
	for _, c := range []struct {
		m    Message
		want error
	}{{new(broken), dynamic.ErrDefinition}, {new(strange), dynamic.ErrUnknownType}} {
		if typ, _, err := (usedType{name: c.m.ROSType(), message: c.m}).resolve(); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, %v, want %v", c.m.ROSType(), typ, err, c.want)
		}
	}
	// Its request and response have the wrong names, so there is no hash.
	if u := serviceUse[*std_msgs.Empty, *std_msgs.String](unnamed{}); u.hash != "" {
		t.Errorf("hash %q", u.hash)
	}
}
