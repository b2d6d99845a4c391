// SPDX-License-Identifier: Apache-2.0

package rihs

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/epuck-ros2/epuck-driver/msgs/internal/idl"
)

// ErrUnknownType means a reference to a type without a definition.
var ErrUnknownType = errors.New("unknown type")

// Lookup returns a message by its full name, "std_msgs/msg/Header", or nil.
type Lookup func(name string) *idl.Message

// OfMessage returns the hash of a message, request or response, "RIHS01_" and 64 hexadecimal digits.
func OfMessage(m *idl.Message, find Lookup) (string, error) {
	return newSet(find).hash(describe(m))
}

// OfService returns the hashes of a service as a whole and of its event type.
func OfService(s *idl.Service, find Lookup) (service, event string, err error) {
	set := newSet(find)
	set.addService(s)
	if event, err = set.hash(describeEvent(s)); err != nil {
		return "", "", err
	}
	service, err = set.hash(describeService(s))
	return service, event, err
}

// OfAction returns the hash of an action as a whole, with all its parts.
func OfAction(a *idl.Action, find Lookup) (string, error) {
	set := newSet(find)
	for _, m := range []*idl.Message{&a.Goal, &a.Result, &a.Feedback, a.FeedbackMessage()} {
		set.add(describe(m))
	}
	set.addService(a.SendGoal())
	set.addService(a.GetResult())
	return set.hash(describeAction(a))
}

// set resolves names: requests and responses first, then messages.
type set struct {
	known map[string]description
	find  Lookup
}

func newSet(find Lookup) *set {
	return &set{known: map[string]description{}, find: find}
}

func (s *set) add(d description) { s.known[d.name] = d }

// addService adds a service and the types derived from it.
func (s *set) addService(of *idl.Service) {
	for _, d := range []description{describe(&of.Request), describe(&of.Response), describeEvent(of), describeService(of)} {
		s.add(d)
	}
}

// hash returns the hash of d with all types to which it refers.
func (s *set) hash(d description) (string, error) {
	refs, err := s.references(d)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(`{"type_description": `)
	d.writeJSON(&b)
	b.WriteString(`, "referenced_type_descriptions": [`)
	for i, r := range refs {
		if i > 0 {
			b.WriteString(", ")
		}
		r.writeJSON(&b)
	}
	b.WriteString("]}")
	return fmt.Sprintf("RIHS01_%x", sha256.Sum256([]byte(b.String()))), nil
}

// references returns all types to which d refers, directly or indirectly, by name.
func (s *set) references(d description) ([]description, error) {
	found := map[string]description{}
	for queue := []description{d}; len(queue) > 0; queue = queue[1:] {
		for _, f := range queue[0].fields {
			if _, seen := found[f.nested]; seen || f.nested == "" {
				continue
			}
			r, ok := s.known[f.nested]
			if m := s.find(f.nested); !ok && m != nil {
				r, ok = describe(m), true
			}
			if !ok {
				return nil, fmt.Errorf("%w: %s (field %s.%s)", ErrUnknownType, f.nested, queue[0].name, f.name)
			}
			found[f.nested] = r
			queue = append(queue, r)
		}
	}
	refs := make([]description, 0, len(found))
	for _, r := range found {
		refs = append(refs, r)
	}
	slices.SortFunc(refs, func(a, b description) int { return strings.Compare(a.name, b.name) })
	return refs, nil
}

// writeJSON writes the text that is hashed, with the separators ", " and ": ". All names are plain ASCII, so quoting
// needs no escapes.
func (d *description) writeJSON(b *strings.Builder) {
	b.WriteString(`{"type_name": ` + strconv.Quote(d.name) + `, "fields": [`)
	for i, f := range d.fields {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(b, `{"name": %q, "type": {"type_id": %d, "capacity": %d, "string_capacity": %d, "nested_type_name": %q}}`,
			f.name, f.id, f.capacity, f.stringCapacity, f.nested)
	}
	b.WriteString("]}")
}
