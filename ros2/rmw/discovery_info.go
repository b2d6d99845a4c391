// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"bytes"
	"fmt"
	"log/slog"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// The topic on which participants tell their nodes. The hash is that of the form
// with 16-byte identities: to announce it is to say that one is not of Humble.
const (
	graphTopic = "ros_discovery_info"
	graphType  = "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_"
	graphHash  = "RIHS01_91a0593bacdcc50ea9bdcf849a938b128412cc1ea821245c663bcd26f83c295e"

	// maxGraphBytes bounds a graph message that is taken in.
	maxGraphBytes = 1 << 20
)

// Payload variants of the graph's writer, by index.
const (
	humbleVariant = iota
	ironVariant
)

// graphVariant chooses the form for a reader: peers from Iron on announce a type
// hash with every endpoint, Humble announces none.
func graphVariant(reader wire.EndpointData) int {
	if endpointTypeHash(reader.UserData) == "" {
		return humbleVariant
	}
	return ironVariant
}

// openGraph makes the writer and the reader of ros_discovery_info.
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
		OnSample: t.takeGraph, OnMatch: t.graphMatch, MaxSampleSize: maxGraphBytes,
	})
	return err
}

// graphPause is the least time between two graph messages. Each names all endpoints: with one for each endpoint that a
// node makes at its start, a hundred nodes would be told of in gigabytes.
const graphPause = 50 * time.Millisecond

// tellGraphLocked tells of a change of nodes and endpoints: at once after a pause, else, with all that changes
// meanwhile, when watch says so.
func (t *Transport) tellGraphLocked(now time.Time) error {
	switch {
	case t.untold:
		return nil
	case now.Sub(t.toldAt) >= graphPause || now.Before(t.toldAt):
		return t.publishGraphLocked(now)
	}
	t.untold = true
	t.stale <- struct{}{} // there is room: watch has taken the last one before it took untold back
	return nil
}

// tellGraph tells what has changed since the last message.
func (t *Transport) tellGraph() {
	t.mu.Lock()
	t.untold = false
	var err error
	if !t.closed {
		err = t.publishGraphLocked(time.Now())
	}
	t.mu.Unlock()
	if err != nil && t.mayComplain() {
		t.log.Warn("nodes and endpoints not told", slog.Any("error", err))
	}
}

// ownGraphLocked returns what this participant has.
func (t *Transport) ownGraphLocked() graphMessage {
	m := graphMessage{participant: t.participant.GUID(), nodes: make([]graphNode, len(t.nodes))}
	places := make(map[ros2.NodeName]int, len(t.nodes))
	for i, name := range t.nodes {
		m.nodes[i].name = name
		if _, ok := places[name]; !ok { // of nodes of one name the first gets the endpoints
			places[name] = i
		}
	}
	for _, e := range t.locals {
		if i, ok := places[e.info.Node]; ok {
			m.nodes[i].readers = append(m.nodes[i].readers, e.readers...)
			m.nodes[i].writers = append(m.nodes[i].writers, e.writers...)
		}
	}
	return m
}

// publishGraphLocked tells all participants which nodes and endpoints there are,
// unless they know.
func (t *Transport) publishGraphLocked(now time.Time) error {
	m := t.ownGraphLocked()
	var forms [2][]byte
	forms[humbleVariant] = m.append(nil, humbleForm)
	forms[ironVariant] = m.append(nil, ironForm)
	if bytes.Equal(forms[ironVariant], t.told) {
		return nil
	}
	if err := t.graphWriter.WriteVariants(forms[:]...); err != nil {
		return fmt.Errorf("telling the graph: %w", err)
	}
	t.told, t.toldAt = forms[ironVariant], now
	return nil
}

// takeGraph remembers what a remote participant tells.
func (t *Transport) takeGraph(s *rtps.Sample) {
	if s.Writer.Prefix == t.participant.GUID().Prefix {
		return
	}
	m, err := parseGraphMessage(s.Payload)
	t.mu.Lock()
	if err == nil && !t.graph.put(s.Writer, m, len(s.Payload)) {
		err = fmt.Errorf("%w: no memory for more; raise %s", ErrGraphMessage, envMemory)
	}
	t.mu.Unlock()
	if err == nil {
		t.changed()
	} else if t.mayComplain() {
		t.log.Warn("graph message ignored", slog.Any("writer", s.Writer), slog.Any("error", err))
	}
}

// complainPeriod is the least time between two log lines about what others send.
const complainPeriod = 10 * time.Second

// mayComplain allows one log line in each period.
func (t *Transport) mayComplain() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.complained.IsZero() && time.Since(t.complained) < complainPeriod {
		return false
	}
	t.complained = time.Now()
	return true
}

// graphMatch forgets the nodes of a participant that is gone.
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
