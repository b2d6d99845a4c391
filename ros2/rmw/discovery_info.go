// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"bytes"
	"fmt"
	"log/slog"
	"slices"
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

// publishGraphLocked tells all participants which nodes and endpoints there are,
// unless they know.
func (t *Transport) publishGraphLocked() error {
	m := graphMessage{participant: t.participant.GUID()}
	for _, name := range t.nodes {
		m.nodes = append(m.nodes, graphNode{name: name})
	}
	for _, e := range t.locals {
		// Of nodes of one name the first gets the endpoints.
		if i := slices.Index(t.nodes, e.info.Node); i >= 0 {
			m.nodes[i].readers = append(m.nodes[i].readers, e.readers...)
			m.nodes[i].writers = append(m.nodes[i].writers, e.writers...)
		}
	}
	var forms [2][]byte
	forms[humbleVariant] = m.append(nil, humbleForm)
	forms[ironVariant] = m.append(nil, ironForm)
	if bytes.Equal(forms[ironVariant], t.told) {
		return nil
	}
	if err := t.graphWriter.WriteVariants(forms[:]...); err != nil {
		return fmt.Errorf("telling the graph: %w", err)
	}
	t.told = forms[ironVariant]
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
