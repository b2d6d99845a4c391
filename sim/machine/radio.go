// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"fmt"
	"math"
	"slices"

	"github.com/epuck-ros2/epuck-driver/sim/articulated"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// queuedPacket is a packet in a receiver.
type queuedPacket struct {
	packet Packet
	cycle  int64 // in which it was sent; it arrives in the next one
}

const (
	// maxPacket is the longest packet, bytes.
	maxPacket = 65536
	// maxInbox bounds the queue of a receiver, bytes; further packets are lost.
	maxInbox = 1 << 20
)

// Send implements Devices.
func (m *Machine) Send(i int, packet []byte) error {
	d, err := m.device(i)
	if err != nil {
		return err
	}
	if d.desc.Kind != description.Emitter || len(packet) > maxPacket {
		return fmt.Errorf("%w: %s %q sends no packet of %d bytes (at most %d)", ErrDevice, d.desc.Kind, d.desc.Name, len(packet), maxPacket)
	}
	if m.absent(d) {
		return nil
	}
	from, data := m.mount(d), slices.Clone(packet)
	m.env.Mechanisms(func(g articulated.Mechanism) {
		if other, same := g.(*Machine); same {
			other.deliver(d, &from, data, m.env.Cycle())
		}
	})
	return nil
}

// deliver queues a packet at the receivers in the range of its sender.
func (m *Machine) deliver(sender *device, from *mount, data []byte, cycle int64) {
	for i := range m.devices {
		d := &m.devices[i]
		if d.desc.Kind != description.Receiver || channel(d) != channel(sender) || m.absent(d) {
			continue
		}
		w := m.mount(d)
		way := [3]float64{from.at.X - w.at.X, from.at.Y - w.at.Y, from.height - w.height}
		far := math.Sqrt(float64(way[0]*way[0]) + float64(way[1]*way[1]) + float64(way[2]*way[2]))
		if r := sender.desc.Radio; r != nil && r.Range > 0 && far > r.Range || far == 0 {
			continue
		}
		limit := maxInbox
		if r := d.desc.Radio; r != nil && r.Buffer > 0 {
			limit = min(limit, r.Buffer)
		}
		if d.bytes+len(data) > limit {
			continue
		}
		to := w.into(way)
		for k := range to {
			to[k] /= far
		}
		d.bytes += len(data)
		d.inbox = append(d.inbox, queuedPacket{Packet{data, 1 / float64(far*far), to}, cycle})
	}
}

func channel(d *device) int {
	if d.desc.Radio == nil {
		return 0
	}
	return d.desc.Radio.Channel
}

// Receive implements Devices.
func (m *Machine) Receive(i int) (p Packet, ok bool) {
	d, err := m.device(i)
	if err != nil || len(d.inbox) == 0 || d.inbox[0].cycle >= m.env.Cycle() {
		return Packet{}, false
	}
	p = d.inbox[0].packet
	d.bytes -= len(p.Data)
	d.inbox = slices.Delete(d.inbox, 0, 1)
	return p, true
}
