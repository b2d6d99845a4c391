// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/bag/schema"
)

// ErrTypes is matched when bags have topics of one name with different types, so that they are not one recording.
var ErrTypes = errors.New("bags do not fit together")

// Join returns several bags as one: their messages in the order of time. The bags belong to it; closing it closes them.
// With one bag it returns that. An error matches [ErrTypes]; the bags stay open then.
func Join(bags ...*Bag) (*Bag, error) {
	if len(bags) == 1 {
		return bags[0], nil
	}
	out := &Bag{Custom: map[string]string{}}
	var stores joined
	var paths, storage []string
	for _, b := range bags {
		if err := out.take(b); err != nil {
			return nil, err
		}
		stores = append(stores, b.store)
		paths, storage = append(paths, b.Path), append(storage, b.Storage)
		out.Distribution = cmp.Or(out.Distribution, b.Distribution)
	}
	slices.Sort(storage)
	out.Path, out.Storage, out.store = strings.Join(paths, " "), strings.Join(slices.Compact(storage), ", "), stores
	slices.SortFunc(out.topics, func(x, y *Topic) int { return cmp.Compare(x.Name, y.Name) })
	return out, nil
}

// take adds the topics and files of a bag.
func (b *Bag) take(from *Bag) error {
	for _, t := range from.topics {
		i := slices.IndexFunc(b.topics, func(o *Topic) bool { return o.Name == t.Name })
		if i < 0 {
			added := *t
			b.topics = append(b.topics, &added)
			continue
		}
		have := b.topics[i]
		switch {
		case have.Type != t.Type, have.Format != t.Format:
			return fmt.Errorf("%w: topic %s has type %s (%s) in one and %s (%s) in %s; play them one by one", ErrTypes, t.Name, have.Type, have.Format, t.Type, t.Format, from.Path)
		case !schema.Same(t.Type, have.definition(), t.definition()):
			return fmt.Errorf("%w: topic %s has another version of %s in %s, with other fields; play them one by one", ErrTypes, t.Name, t.Type, from.Path)
		}
		have.Messages += t.Messages
		have.Hash = cmp.Or(have.Hash, t.Hash)
		if have.SchemaEncoding == "" {
			have.Schema, have.SchemaEncoding = t.Schema, t.SchemaEncoding
		}
		for _, q := range t.QoS {
			if !slices.Contains(have.QoS, q) {
				have.QoS = append(slices.Clone(have.QoS), q)
			}
		}
	}
	base := filepath.Base(from.Path)
	for _, f := range from.files {
		f.Path = filepath.Join(base, f.Path)
		b.files = append(b.files, f)
	}
	for _, name := range from.Interrupted {
		b.Interrupted = append(b.Interrupted, filepath.Join(base, name))
	}
	for _, place := range from.Damage {
		b.Damage = append(b.Damage, from.Path+": "+place)
	}
	maps.Copy(b.Custom, from.Custom)
	return nil
}

// definition returns what the bag has of the topic's type.
func (t *Topic) definition() schema.Definition {
	return schema.Definition{Encoding: t.SchemaEncoding, Text: t.Schema, Hash: t.Hash}
}

// joined are the stores of several bags.
type joined []store

func (j joined) close() error {
	var errs []error
	for _, s := range j {
		errs = append(errs, s.close())
	}
	return errors.Join(errs...)
}

// messages merges the messages of all stores by log time; of equal times the first store's come first.
func (j joined) messages(topics map[string]*Topic, g Range) iter.Seq2[Message, error] {
	return func(yield func(Message, error) bool) {
		var heads []*head
		defer func() {
			for _, h := range heads {
				h.stop()
			}
		}()
		for _, s := range j {
			h := &head{}
			h.pull, h.stop = iter.Pull2(s.messages(topics, g))
			heads = append(heads, h)
			h.advance()
		}
		for {
			first := (*head)(nil)
			for _, h := range heads {
				if h.ok && (first == nil || h.err != nil || h.m.LogTime < first.m.LogTime) {
					first = h
					if h.err != nil { // reported at once
						break
					}
				}
			}
			if first == nil || !yield(first.m, first.err) {
				return
			}
			first.advance()
		}
	}
}

// head is the next message of a store.
type head struct {
	pull func() (Message, error, bool)
	stop func()
	m    Message
	err  error
	ok   bool
}

func (h *head) advance() { h.m, h.err, h.ok = h.pull() }
