// SPDX-License-Identifier: Apache-2.0

package rtps

import (
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// assertLiveliness publishes the message of the writer liveliness protocol (DDSI-RTPS 8.4.13) for all writers of automatic liveliness.
// It is sent once at the start, as Cyclone DDS does, and again only if some writer promised a finite lease.
func (p *Participant) assertLiveliness(now time.Time) {
	m := wire.ParticipantMessageData{Prefix: p.guid.Prefix, Kind: wire.LivelinessUpdateAutomatic, Data: []byte{0}}
	w := p.messages
	for w.hist.first < w.hist.next {
		w.hist.remove(w.hist.first)
	}
	c := w.hist.blank()
	c.kind, c.at = wire.PayloadData, now
	c.setPayload(m.AppendPayload(nil))
	w.hist.push(c)
	w.sendFresh(c, now)
	p.nextAssertion(now)
}

// nextAssertion sets the alarm for the next message: three in the shortest lease of a writer.
func (p *Participant) nextAssertion(now time.Time) {
	shortest := wire.DurationInfinite
	for _, w := range p.userWriters {
		if lease := w.cfg.QoS.LivelinessLease; lease > 0 {
			shortest = min(shortest, lease)
		}
	}
	if !shortest.IsInfinite() {
		p.alarms.setEarlier(&p.assertAlarm, now.Add(max(shortest.Duration()/3, 10*time.Millisecond)))
	}
}

// onLivelinessSample takes such a message of a peer. Hearing it renewed the participant's lease already, which is all that is needed
// as long as no reader asks for a finite liveliness lease.
func (p *Participant) onLivelinessSample(w *writerProxy, _ *sampleInfo, payload []byte) {
	m, err := wire.DecodeParticipantMessage(payload)
	if err != nil || m.Prefix != w.remote.prefix {
		p.drop(DropLivelinessMessage)
	}
}
