// SPDX-License-Identifier: Apache-2.0

package rtps

import "slices"

// ownEndpoints are the local writers and readers by topic, in order of creation. The index makes matching cheap: a
// participant may have a hundred nodes with thousands of endpoints.
type ownEndpoints map[string]*ownTopic

// ownTopic holds the local endpoints on a topic.
type ownTopic struct {
	writers []*Writer
	readers []*Reader
}

// on returns the endpoints on a topic, which may be none.
func (o ownEndpoints) on(topic string) ownTopic {
	if t := o[topic]; t != nil {
		return *t
	}
	return ownTopic{}
}

// topic returns the entry of a topic, creating it if needed.
func (o ownEndpoints) topic(name string) *ownTopic {
	t := o[name]
	if t == nil {
		t = &ownTopic{}
		o[name] = t
	}
	return t
}

func (o ownEndpoints) addWriter(w *Writer) {
	t := o.topic(w.cfg.Topic)
	t.writers = append(t.writers, w)
}

func (o ownEndpoints) addReader(r *Reader) {
	t := o.topic(r.cfg.Topic)
	t.readers = append(t.readers, r)
}

func (o ownEndpoints) removeWriter(w *Writer) {
	if t := o[w.cfg.Topic]; t != nil {
		t.writers = slices.DeleteFunc(t.writers, func(e *Writer) bool { return e == w })
		o.drop(w.cfg.Topic, t)
	}
}

func (o ownEndpoints) removeReader(r *Reader) {
	if t := o[r.cfg.Topic]; t != nil {
		t.readers = slices.DeleteFunc(t.readers, func(e *Reader) bool { return e == r })
		o.drop(r.cfg.Topic, t)
	}
}

// drop deletes the entry of a topic that has no endpoints.
func (o ownEndpoints) drop(name string, t *ownTopic) {
	if len(t.writers)+len(t.readers) == 0 {
		delete(o, name)
	}
}
