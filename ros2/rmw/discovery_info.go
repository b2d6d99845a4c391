// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// The topic on which participants publish their nodes. The hash is that of the form with 16-byte GIDs; a participant of
// Humble does not announce it.
const (
	graphTopic = "ros_discovery_info"
	graphType  = "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_"
	graphHash  = "RIHS01_91a0593bacdcc50ea9bdcf849a938b128412cc1ea821245c663bcd26f83c295e"

	// maxGraphBytes bounds an accepted graph message, bytes: enough for 2,000 robots in one process.
	maxGraphBytes = 4 << 20
)

// Payload variants of the graph's writer, by index.
const (
	humbleVariant = iota
	ironVariant
)

// graphVariant chooses the form for a reader: peers from Iron on announce a type hash with every endpoint, those of
// Humble do not.
func graphVariant(reader wire.EndpointData) int {
	if endpointTypeHash(reader.UserData) == "" {
		return humbleVariant
	}
	return ironVariant
}

// openGraph creates the writer and the reader of ros_discovery_info.
func (t *Transport) openGraph() error {
	qos := ros2.QoS{Durability: ros2.TransientLocal, Depth: 1}
	data := endpointUserData(graphHash)
	w, err := t.participant.NewWriter(rtps.WriterConfig{
		Topic: graphTopic, Type: graphType, UserData: data,
		QoS: toDDS(qos, wire.DefaultWriterQoS()), Variant: graphVariant,
	})
	if err != nil {
		return err
	}
	t.graphWriter = w
	qos.History = ros2.KeepAll
	_, err = t.participant.NewReader(rtps.ReaderConfig{
		Topic: graphTopic, Type: graphType, UserData: data,
		QoS:      readerQoS(qos),
		OnSample: t.onGraphMessage, OnMatch: t.graphMatch, MaxSampleSize: maxGraphBytes,
	})
	return err
}

// graphPause is the minimum time between two graph messages. Each contains all endpoints: with a message for every
// endpoint that a node creates at its start, a hundred nodes would send gigabytes. Large messages are limited to
// graphRate bytes per second, but with pauses of at most maxGraphPause.
const (
	graphPause    = 50 * time.Millisecond
	maxGraphPause = 100 * time.Millisecond
	graphRate     = 8 << 20
)

// pauseAfter returns the minimum time between a graph message of size bytes and the next one.
func pauseAfter(size int) time.Duration {
	return min(max(graphPause, time.Duration(size)*time.Second/graphRate), maxGraphPause)
}

// graphChangedLocked publishes a change of nodes and endpoints: at once if the last message is old enough, otherwise
// watch publishes it later, together with further changes.
func (t *Transport) graphChangedLocked(now time.Time) error {
	switch {
	case t.pending || !t.own.changed:
		return nil
	case now.Sub(t.sentAt) >= t.pause || now.Before(t.sentAt):
		return t.publishGraphLocked(now)
	}
	t.pending = true
	t.stale <- t.pause // buffered: watch has received the last one before it reset pending
	return nil
}

// publishGraph publishes the graph message if the graph has changed since the last one.
func (t *Transport) publishGraph() {
	t.mu.Lock()
	t.pending = false
	var err error
	if !t.closed && t.own.changed {
		err = t.publishGraphLocked(time.Now())
	}
	t.mu.Unlock()
	if err != nil && t.mayLog() {
		t.log.Warn("nodes and endpoints not published", slog.Any("error", err))
	}
}

// publishGraphLocked publishes the nodes and endpoints of this participant.
func (t *Transport) publishGraphLocked(now time.Time) error {
	var forms [2][]byte
	for i := range forms {
		forms[i] = t.own.message(t.participant.GUID(), i)
	}
	if err := t.graphWriter.WriteVariants(forms[:]...); err != nil {
		return fmt.Errorf("publishing the graph: %w", err)
	}
	t.own.changed = false
	t.sentAt, t.pause = now, pauseAfter(len(forms[ironVariant]))
	return nil
}

// onGraphMessage handles the graph message of a remote participant.
func (t *Transport) onGraphMessage(s *rtps.Sample) {
	if s.Writer.Prefix == t.participant.GUID().Prefix {
		return
	}
	m, err := parseGraphMessage(s.Payload)
	var invalid error
	if err == nil {
		invalid = m.dropInvalid()
	}
	t.mu.Lock()
	if err == nil && !t.graph.put(s.Writer, m, len(s.Payload)) {
		err = fmt.Errorf("%w: no memory for more; raise %s", ErrGraphMessage, envMemory)
	}
	t.mu.Unlock()
	if err == nil {
		t.changed()
	} else if t.mayLog() {
		t.log.Warn("graph message ignored", slog.Any("writer", s.Writer), slog.Any("error", err))
	}
	if invalid != nil && t.mayLog() {
		t.log.Warn("node with an invalid name ignored", slog.Any("writer", s.Writer), slog.Any("error", invalid))
	}
}

// rejectedLogPeriod is the minimum time between two log lines about rejected messages.
const rejectedLogPeriod = 10 * time.Second

// mayLog allows one log line per period.
func (t *Transport) mayLog() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.complained.IsZero() && time.Since(t.complained) < rejectedLogPeriod {
		return false
	}
	t.complained = time.Now()
	return true
}

// graphMatch deletes the nodes of a participant that is gone.
func (t *Transport) graphMatch(_ int, ev rtps.MatchEvent) {
	if ev.Kind != rtps.Unmatched {
		return
	}
	t.mu.Lock()
	known := t.graph.forget(ev.Remote)
	t.mu.Unlock()
	if known {
		t.changed()
	}
}
