// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"

	tdi "github.com/epuck-ros2/epuck-driver/msgs/type_description_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// startTypeDescription is declared by every node with the standard endpoints, as
// by rclcpp of ROS 2 Iron and later.
var startTypeDescription = ParameterDescriptor{
	Name:        "start_type_description_service",
	Default:     BoolValue(true),
	Description: "Start the ~/get_type_description service for this node.",
	ReadOnly:    true,
}

// offerTypeDescription creates the service that describes the node's types, unless the parameter is false.
func (n *Node) offerTypeDescription() error {
	start, err := n.params.Declare(startTypeDescription)
	if err != nil || !start.Bool() {
		return err
	}
	_, err = NewService(n, tdi.GetTypeDescription{}, "~/get_type_description", n.describeType)
	return err
}

// describeType responds as rcl does: the hash identifies the type, the name is ignored. Failure reasons begin with
// rcl's text.
func (n *Node) describeType(_ context.Context, r *tdi.GetTypeDescriptionRequest) (*tdi.GetTypeDescriptionResponse, error) {
	refuse := func(reason string) (*tdi.GetTypeDescriptionResponse, error) {
		return &tdi.GetTypeDescriptionResponse{FailureReason: reason}, nil
	}
	if !isTypeHash(r.TypeHash_) {
		return refuse("Failed to parse type hash")
	}
	for _, u := range n.usedTypes() {
		if !strings.EqualFold(u.hash, r.TypeHash_) && !u.hasRequest(r) {
			continue
		}
		typ, texts, err := u.resolve()
		if err != nil {
			return refuse(fmt.Sprintf("Failed to populate TypeDescription to response: %v", err))
		}
		if hash := typ.Hash(); hash != u.hash {
			return refuse(fmt.Sprintf("Failed to populate TypeDescription to response: the definition of %s has the hash %s", u.name, hash))
		}
		out := &tdi.GetTypeDescriptionResponse{Successful: true, TypeDescription: descriptionOf(typ)}
		if r.IncludeTypeSources {
			out.TypeSources = sourcesOf(typ, texts)
		}
		return out, nil
	}
	if typ := n.describedType(r.TypeHash_); typ != nil {
		out := &tdi.GetTypeDescriptionResponse{Successful: true, TypeDescription: descriptionOf(typ)}
		if r.IncludeTypeSources {
			out.TypeSources = []tdi.TypeSource{{TypeName: typ.Name, Encoding: "msg", RawFileContents: typ.MsgText()}}
		}
		return out, nil
	}
	return refuse("Type not currently in use by this node")
}

// hasRequest reports whether r names the service by the hash of its request, which the endpoint of a service announces.
func (u usedType) hasRequest(r *tdi.GetTypeDescriptionRequest) bool {
	return u.request != nil && r.TypeName == u.name && strings.EqualFold(u.request.TypeHash(), r.TypeHash_)
}

// isTypeHash reports whether s is the hash of a type, of the only existing version.
func isTypeHash(s string) bool {
	digits, ok := strings.CutPrefix(s, "RIHS01_")
	sum, err := hex.DecodeString(digits)
	return ok && err == nil && len(sum) == 32
}

// descriptionOf converts a type to its message.
func descriptionOf(t *dynamic.Type) tdi.TypeDescription {
	d := tdi.TypeDescription{TypeDescription: individualOf(t)}
	for _, ref := range t.References() {
		d.ReferencedTypeDescriptions = append(d.ReferencedTypeDescriptions, individualOf(ref))
	}
	return d
}

func individualOf(t *dynamic.Type) tdi.IndividualTypeDescription {
	d := tdi.IndividualTypeDescription{TypeName: t.Name}
	members := t.Members()
	for i := range members {
		f := &members[i]
		field := tdi.Field{Name: f.Name, DefaultValue: f.DefaultText(), Type: tdi.FieldType{
			TypeID: uint8(f.TypeID()), Capacity: uint64(f.Size), StringCapacity: uint64(f.StringBound),
		}}
		if f.Type != nil {
			field.Type.NestedTypeName = f.Type.Name
		}
		d.Fields = append(d.Fields, field)
	}
	return d
}

// sourcesOf returns the definitions of a type and of all types it refers to.
func sourcesOf(t *dynamic.Type, texts definitions) []tdi.TypeSource {
	sources := []tdi.TypeSource{sourceOf(t.Name, texts)}
	for _, ref := range t.References() {
		sources = append(sources, sourceOf(ref.Name, texts))
	}
	return sources
}

// sourceOf returns one definition. The parts of a service have no definition of their own: that of the service contains
// them.
func sourceOf(name string, texts definitions) tdi.TypeSource {
	request, service := texts[name+"_Request"]
	switch {
	case service:
		return tdi.TypeSource{TypeName: name, Encoding: "srv", RawFileContents: request + "---\n" + texts[name+"_Response"]}
	case strings.Contains(name, "/srv/"):
		return tdi.TypeSource{TypeName: name, Encoding: "implicit"}
	}
	return tdi.TypeSource{TypeName: name, Encoding: "msg", RawFileContents: texts[name]}
}
