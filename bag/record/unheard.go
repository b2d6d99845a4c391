// SPDX-License-Identifier: Apache-2.0

package record

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suggest"
)

// publishedTimeout is how long after the beginning of a recording a topic that was named and is not published is warned
// of.
const publishedTimeout = 2 * time.Second

// warnOfUnpublished warns, once in a recording, of topics that were named and that nothing publishes yet.
func (w *writing) warnOfUnpublished() {
	if w.sink == nil || w.searched || time.Since(w.begun) < publishedTimeout {
		return
	}
	w.searched = true
	for _, topic := range w.r.unpublished() {
		w.r.cfg.Logger.Warn("a topic that was named is not published yet"+w.r.didYouMean(topic), "topic", topic)
	}
}

// noteUnheard warns of what the completed bag lacks, and keeps it as an error for [Recorder.Run].
func (w *writing) noteUnheard(s Status) {
	log := w.r.cfg.Logger
	if absent := w.r.unpublished(); len(absent) > 0 {
		for _, topic := range absent {
			log.Warn("a topic that was named was never published"+w.r.didYouMean(topic), "topic", topic, "bag", s.Dir)
		}
		w.unheard = errors.Join(w.unheard, fmt.Errorf("%w: %s (bag %s)", ErrNotPublished, strings.Join(absent, ", "), s.Dir))
	}
	for _, topic := range w.sink.silent() {
		log.Warn("a topic that was named has no message", "topic", topic, "bag", s.Dir)
	}
	if s.Messages == 0 {
		log.Warn("the recording has no message", "bag", s.Dir, "topics", s.Topics)
		w.unheard = errors.Join(w.unheard, fmt.Errorf("%w (bag %s, %d topics)", ErrNoMessages, s.Dir, s.Topics))
	}
}

// unpublished returns the topics that were named and to which the recorder has never subscribed.
func (r *Recorder) unpublished() (absent []string) {
	r.topics.mu.Lock()
	defer r.topics.mu.Unlock()
	for _, topic := range r.cfg.Select.named() {
		if _, known := r.topics.byName[topic]; !known {
			absent = append(absent, topic)
		}
	}
	return absent
}

// silent returns the topics that were named and published, and of which the bag has no message.
func (s *sink) silent() (names []string) {
	s.topics.mu.Lock()
	defer s.topics.mu.Unlock()
	for _, topic := range s.cfg.Select.named() {
		number, known := s.topics.byName[topic]
		messages := uint64(0)
		for _, counts := range s.counts {
			messages += counts[number]
		}
		if known && messages == 0 {
			names = append(names, topic)
		}
	}
	return names
}

// didYouMean returns the end of a warning with the names of topics that are similar to one that is not in the graph, ""
// if the topic is in the graph or nothing is similar.
func (r *Recorder) didYouMean(topic string) string {
	var names []string
	for _, t := range r.cfg.Node.Graph().Topics() {
		if t.Name == topic {
			return ""
		}
		names = append(names, t.Name)
	}
	return suggest.DidYouMean(topic, names)
}
