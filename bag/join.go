// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"cmp"
	"errors"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// Join returns several bags as one: their messages in the order of time. The bags belong to it; closing it closes them.
// With one bag it returns that. Topics of one name with different types or definitions stay apart, see [Bag.Topics].
func Join(bags ...*Bag) *Bag {
	if len(bags) == 1 {
		return bags[0]
	}
	out := &Bag{Custom: map[string]string{}}
	var stores joined
	var paths, storage []string
	var topics topicSet
	var own []*Topic // of all bags, with their files
	for _, b := range bags {
		own = append(own, out.take(b)...)
	}
	of := topics.merge(own)
	for _, b := range bags {
		s := joinedStore{store: b.store, topics: map[*Topic]*Topic{}}
		for _, t := range b.topics {
			s.topics[t] = of[own[0]]
			own = own[1:]
		}
		stores = append(stores, s)
		paths, storage = append(paths, b.Path), append(storage, b.Storage)
		out.Distribution = cmp.Or(out.Distribution, b.Distribution)
	}
	slices.Sort(storage)
	out.Path, out.Storage, out.store = strings.Join(paths, " "), strings.Join(slices.Compact(storage), ", "), stores
	out.topics = topics.list
	sortTopics(out.topics)
	return out
}

// take adds all of a bag but its topics, and returns these with the names of the files that they have in b.
func (b *Bag) take(from *Bag) (topics []*Topic) {
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
	for _, remark := range from.Remarks {
		b.Remarks = append(b.Remarks, from.Path+": "+remark)
	}
	maps.Copy(b.Custom, from.Custom)
	for _, t := range from.topics {
		own := *t
		own.Files = nil
		for _, name := range t.Files {
			path := from.Path
			if filepath.Base(path) != name { // a folder
				path = filepath.Join(path, name)
			}
			own.Files = append(own.Files, path)
		}
		topics = append(topics, &own)
	}
	return topics
}

// joinedStore is the store of one of several bags, with the topics of the whole for those of the bag.
type joinedStore struct {
	store
	topics map[*Topic]*Topic
}

func (s joinedStore) messages(g Range) iter.Seq2[Message, error] {
	if wanted := g.Topic; wanted != nil {
		g.Topic = func(t *Topic) bool { return wanted(s.topics[t]) }
	}
	return func(yield func(Message, error) bool) {
		for m, err := range s.store.messages(g) {
			m.Topic = s.topics[m.Topic]
			if !yield(m, err) {
				return
			}
		}
	}
}

// joined are the stores of several bags.
type joined []joinedStore

func (j joined) close() error {
	var errs []error
	for _, s := range j {
		errs = append(errs, s.close())
	}
	return errors.Join(errs...)
}

// messages merges the messages of all stores by log time; of equal times the first store's come first.
func (j joined) messages(g Range) iter.Seq2[Message, error] {
	return func(yield func(Message, error) bool) {
		var heads []*head
		defer func() {
			for _, h := range heads {
				h.stop()
			}
		}()
		for _, s := range j {
			h := &head{}
			h.pull, h.stop = iter.Pull2(s.messages(g))
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
