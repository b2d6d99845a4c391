// SPDX-License-Identifier: Apache-2.0

package rtps

import "slices"

// localEndpoints is the index of the local writers and readers by topic, in order of creation. It makes matching cheap:
// a participant may have a hundred nodes with thousands of endpoints.
type localEndpoints map[string]*localTopic

// localTopic holds the local endpoints on a topic.
type localTopic struct {
	writers []*Writer
	readers []*Reader
}

// on returns the endpoints on a topic, if any.
func (o localEndpoints) on(topic string) localTopic {
	if t := o[topic]; t != nil {
		return *t
	}
	return localTopic{}
}

// topic returns the entry of a topic, creating it if needed.
func (o localEndpoints) topic(name string) *localTopic {
	t := o[name]
	if t == nil {
		t = &localTopic{}
		o[name] = t
	}
	return t
}

func (o localEndpoints) addWriter(w *Writer) {
	t := o.topic(w.cfg.Topic)
	t.writers = append(t.writers, w)
}

func (o localEndpoints) addReader(r *Reader) {
	t := o.topic(r.cfg.Topic)
	t.readers = append(t.readers, r)
}

func (o localEndpoints) removeWriter(w *Writer) {
	if t := o[w.cfg.Topic]; t != nil {
		t.writers = slices.DeleteFunc(t.writers, func(e *Writer) bool { return e == w })
		o.drop(w.cfg.Topic, t)
	}
}

func (o localEndpoints) removeReader(r *Reader) {
	if t := o[r.cfg.Topic]; t != nil {
		t.readers = slices.DeleteFunc(t.readers, func(e *Reader) bool { return e == r })
		o.drop(r.cfg.Topic, t)
	}
}

// drop deletes the entry of a topic that has no endpoints.
func (o localEndpoints) drop(name string, t *localTopic) {
	if len(t.writers)+len(t.readers) == 0 {
		delete(o, name)
	}
}
