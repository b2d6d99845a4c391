// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire/internal/pcapng"
)

// discovery decodes the samples of the built-in topics and encodes and decodes
// them again.
type discovery struct {
	NopHandler
	t            *testing.T
	where        string
	participants map[GUID]ParticipantData
	endpoints    map[GUID]EndpointData
	gone         map[GUID]bool
	seen         map[string]bool // announcements are repeated many times
	liveliness   int
}

func (d *discovery) HandleData(r *Receiver, m *Data) {
	d.t.Helper()
	var q InlineQoS
	if err := q.Decode(m.InlineQoS); err != nil {
		d.t.Errorf("%s: inline QoS: %v", d.where, err)
	}
	switch m.Writer {
	case EntitySPDPWriter, EntityPublicationsWriter, EntitySubscriptionsWriter:
	case EntityParticipantMessageWriter:
		d.message(r, m)
		return
	default:
		return
	}
	announced := m.Writer.String() + string(m.Payload)
	if m.Kind == PayloadData && d.seen[announced] {
		return
	}
	d.seen[announced] = true
	key, ok := BuiltinKey(m)
	if !ok || key.Prefix != r.SourcePrefix {
		d.t.Errorf("%s: key %v, %v", d.where, key, ok)
	}
	switch {
	case q.Status.Gone():
		d.gone[key] = true
	case m.Writer == EntitySPDPWriter:
		d.participant(key, m.Payload)
	default:
		d.endpoint(key, m)
	}
}

func (d *discovery) message(r *Receiver, m *Data) {
	pm, err := DecodeParticipantMessage(m.Payload)
	if err != nil || pm.Prefix != r.SourcePrefix || pm.Kind != LivelinessUpdateAutomatic {
		d.t.Errorf("%s: %+v, %v", d.where, pm, err)
	}
	d.liveliness++
}

func (d *discovery) participant(key GUID, payload []byte) {
	p, err := DecodeParticipant(payload)
	if err != nil || p.GUID != key || !p.BuiltinEndpoints.Has(0x3f) || len(p.MetatrafficUnicast) == 0 ||
		!strings.HasPrefix(string(p.UserData), "enclave=/;") {
		d.t.Errorf("%s: participant %+v, %v", d.where, p, err)
	}
	again, err := DecodeParticipant(p.AppendPayload(nil))
	if diff := cmp.Diff(p, again, cmpopts.EquateEmpty()); err != nil || diff != "" {
		d.t.Errorf("%s: %v, encoded again: %s", d.where, err, diff)
	}
	d.participants[key] = p
}

func (d *discovery) endpoint(key GUID, m *Data) {
	decode := DecodeSubscription
	if m.Writer == EntityPublicationsWriter {
		decode = DecodePublication
	}
	e, err := decode(m.Payload)
	if err != nil || e.GUID != key || e.IsWriter() != (m.Writer == EntityPublicationsWriter) {
		d.t.Errorf("%s: endpoint %+v, %v", d.where, e, err)
	}
	again, err := decode(e.AppendPayload(nil))
	if len(e.QoS.Representation) == 0 {
		e.QoS.Representation = []DataRepresentation{XCDR1}
	}
	if diff := cmp.Diff(e, again, cmpopts.EquateEmpty()); err != nil || diff != "" {
		d.t.Errorf("%s: %v, encoded again: %s", d.where, err, diff)
	}
	d.endpoints[key] = e
}

// discover decodes all of the discovery traffic of a capture.
func discover(t *testing.T, name string, datagrams []pcapng.Datagram) *discovery {
	d := &discovery{t: t, participants: map[GUID]ParticipantData{},
		endpoints: map[GUID]EndpointData{}, gone: map[GUID]bool{}, seen: map[string]bool{}}
	for _, g := range datagrams {
		if d.where = name; isRTPS(g.Payload) {
			if err := Walk(g.Payload, d); err != nil {
				t.Errorf("%s frame %d: %v", name, g.Frame, err)
			}
		}
	}
	return d
}

// topics that the recorded node has, as DDS names, with the reliability and
// durability of its endpoint.
var recorded = map[string]struct {
	typ         string
	writer      bool
	reliability ReliabilityKind
	durability  DurabilityKind
}{
	"rt/robot1/odom":                 {"nav_msgs::msg::dds_::Odometry_", true, Reliable, Volatile},
	"rt/robot1/image_raw/compressed": {"sensor_msgs::msg::dds_::CompressedImage_", true, BestEffort, Volatile},
	"rt/tf_static":                   {"tf2_msgs::msg::dds_::TFMessage_", true, Reliable, TransientLocal},
	"rq/robot1/reset_odometryRequest": {"std_srvs::srv::dds_::Trigger_Request_", false, Reliable,
		Volatile},
	"ros_discovery_info": {"rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_", true, Reliable, TransientLocal},
}

func TestCapturesDiscovery(t *testing.T) {
	captures(t, func(name string, datagrams []pcapng.Datagram) {
		d := discover(t, name, datagrams)
		if len(d.participants) < 2 || len(d.endpoints) < 20 || len(d.gone) < 2 {
			t.Errorf("%s: %d participants, %d endpoints, %d gone", name, len(d.participants), len(d.endpoints), len(d.gone))
		}
		for topic, want := range recorded {
			found := false
			for _, e := range d.endpoints {
				found = found || e.Topic == topic && e.Type == want.typ && e.IsWriter() == want.writer &&
					e.QoS.Reliability == want.reliability && e.QoS.Durability == want.durability &&
					e.QoS.Deadline.IsInfinite() && e.QoS.LivelinessLease.IsInfinite()
			}
			if !found {
				t.Errorf("%s: no endpoint of %s", name, topic)
			}
		}
		for _, e := range d.endpoints {
			if hashed := strings.HasPrefix(string(e.UserData), "typehash=RIHS01_"); e.Topic == "rt/robot1/odom" &&
				hashed != strings.HasPrefix(name, "jazzy") {
				t.Errorf("%s: %s has user data %q", name, e.Topic, e.UserData)
			}
		}
		t.Logf("%s: %d participants, %d endpoints, %d gone, %d liveliness messages",
			name, len(d.participants), len(d.endpoints), len(d.gone), d.liveliness)
	})
}
