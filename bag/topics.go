// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/bag/schema"
)

// ErrTypes is matched when a bag has a topic with several types, or with several definitions of its type: a topic of ROS
// has one.
var ErrTypes = errors.New("a topic with several types")

// topicSet gathers the topics of the files of a bag.
type topicSet struct {
	list   []*Topic
	exact  map[topicKey]*Topic
	byName map[string][]variant
}

// variant is one of the topics of a name, with the hash of its type, recorded or computed.
type variant struct {
	*Topic
	hash string
}

// topicKey is what distinguishes topics.
type topicKey struct{ name, rosType, format, encoding, schema, hash string }

// maxCompared is the maximum number of definitions of one topic that are compared by their meaning; further ones are
// the same only if their texts are.
const maxCompared = 16

// defined reports whether the type's definition, or its hash, is known.
func (t *Topic) defined() bool { return t.SchemaEncoding != "" || t.Schema != "" || t.Hash != "" }

// definition returns what the bag has of the topic's type.
func (t *Topic) definition() schema.Definition {
	return schema.Definition{Encoding: t.SchemaEncoding, Text: t.Schema, Hash: t.Hash}
}

// merge adds topics and returns to which topic of the set each one belongs. Those without a definition belong to the one
// of their name and type that has one, unless several have: then nothing says by which of them they were written.
func (s *topicSet) merge(topics []*Topic) map[*Topic]*Topic {
	if s.exact == nil {
		s.exact, s.byName = map[topicKey]*Topic{}, map[string][]variant{}
	}
	of := make(map[*Topic]*Topic, len(topics))
	for _, defined := range []bool{true, false} {
		for _, t := range topics {
			if t.defined() == defined {
				of[t] = s.add(t)
			}
		}
	}
	return of
}

func (s *topicSet) add(t *Topic) *Topic {
	key := topicKey{t.Name, t.Type, t.Format, t.SchemaEncoding, t.Schema, t.Hash}
	have := s.exact[key]
	var hash string
	if have == nil {
		hash = t.definition().TypeHash(t.Type)
		have = s.find(t, hash)
	}
	if have == nil {
		added := *t
		have = &added
		have.Messages, have.Files, have.QoS = 0, nil, nil
		s.list, s.byName[t.Name] = append(s.list, have), append(s.byName[t.Name], variant{have, hash})
	}
	s.exact[key] = have
	have.Messages += t.Messages
	have.Hash = cmp.Or(have.Hash, t.Hash)
	if have.SchemaEncoding == "" {
		have.Schema, have.SchemaEncoding = t.Schema, t.SchemaEncoding
	}
	for _, q := range t.QoS {
		if !slices.Contains(have.QoS, q) {
			have.QoS = append(have.QoS, q)
		}
	}
	for _, name := range t.Files {
		if !slices.Contains(have.Files, name) {
			have.Files = append(have.Files, name)
		}
	}
	return have
}

// find returns the topic of the same messages, nil if there is none.
func (s *topicSet) find(t *Topic, hash string) *Topic {
	one := schema.Definition{Encoding: t.SchemaEncoding, Text: t.Schema, Hash: hash}
	var same []*Topic
	for i, o := range s.byName[t.Name] {
		if i == maxCompared {
			break
		}
		other := schema.Definition{Encoding: o.SchemaEncoding, Text: o.Schema, Hash: o.hash}
		if o.Type == t.Type && o.Format == t.Format && (t.defined() != o.defined() || schema.Same(t.Type, other, one)) {
			same = append(same, o.Topic)
		}
	}
	if len(same) == 0 || !t.defined() && len(same) > 1 {
		return nil
	}
	return same[0]
}

// version describes the definition of a topic's type: by its hash, recorded or computed, else by its encoding.
func (t *Topic) version() string {
	switch hash := t.definition().TypeHash(t.Type); {
	case hash != "":
		return hash
	case t.SchemaEncoding != "":
		return fmt.Sprintf("a definition of %d bytes in %s", len(t.Schema), t.SchemaEncoding)
	}
	return "no definition"
}

// Ambiguities returns an error that matches [ErrTypes] for each topic in CDR that the bag has with several types or
// definitions, with the files and the type hashes. Only topics with messages count for which selected returns true; nil
// selects all.
func (b *Bag) Ambiguities(selected func(*Topic) bool) (errs []error) {
	byName := map[string][]*Topic{}
	for _, t := range b.topics {
		if t.CDR() && t.Messages > 0 && (selected == nil || selected(t)) {
			byName[t.Name] = append(byName[t.Name], t)
		}
	}
	for _, t := range b.topics {
		all := byName[t.Name]
		if len(all) < 2 || all[0] != t {
			continue
		}
		what, versions := "types", []string(nil)
		if !slices.ContainsFunc(all, func(o *Topic) bool { return o.Type != t.Type }) {
			what = "definitions of " + t.Type
		}
		for _, o := range all[:min(len(all), maxCompared)] {
			name := o.version()
			if what == "types" {
				name = o.Type + ", " + name
			}
			where := "the metadata"
			if len(o.Files) > 0 {
				where = list(o.Files)
			}
			versions = append(versions, fmt.Sprintf("%s (%s)", name, where))
		}
		errs = append(errs, fmt.Errorf("%w: topic %s has %d %s, and a topic of ROS has one: %s; play one file alone, or leave the topic out",
			ErrTypes, t.Name, len(all), what, strings.Join(versions, " and ")))
	}
	return errs
}

// CDR reports whether the messages are in CDR, the encoding of ROS 2.
func (t *Topic) CDR() bool { return t.Format == "" || t.Format == "cdr" }
