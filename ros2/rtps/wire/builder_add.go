// SPDX-License-Identifier: Apache-2.0

package wire

// InfoDst addresses the following submessages to the participant dst, zero for any.
func (b *Builder) InfoDst(dst GUIDPrefix) bool {
	if dst == b.state.dst {
		return true
	}
	m := infoDst{Prefix: dst}
	if !b.fits(m.Size()) {
		return false
	}
	b.buf = m.Append(b.buf)
	b.state.length, b.state.dst = len(b.buf), dst
	return true
}

// InfoTS sets the source time of the following submessages; timeInvalid for none.
func (b *Builder) InfoTS(t Time) bool {
	if t == b.state.ts {
		return true
	}
	m := infoTS{Time: t}
	if !b.fits(m.Size()) {
		return false
	}
	b.buf = m.Append(b.buf)
	b.state.length, b.state.ts = len(b.buf), t
	return true
}

// Data adds a DATA submessage.
func (b *Builder) Data(m *Data) bool { return b.fits(m.Size()) && b.added(m.Append(b.buf)) }

// DataFrag adds a DATA_FRAG submessage.
func (b *Builder) DataFrag(m *DataFrag) bool { return b.fits(m.Size()) && b.added(m.Append(b.buf)) }

// Heartbeat adds a HEARTBEAT submessage.
func (b *Builder) Heartbeat(m *Heartbeat) bool { return b.fits(m.Size()) && b.added(m.Append(b.buf)) }

// HeartbeatFrag adds a HEARTBEAT_FRAG submessage.
func (b *Builder) HeartbeatFrag(m *HeartbeatFrag) bool {
	return b.fits(m.Size()) && b.added(m.Append(b.buf))
}

// AckNack adds an ACKNACK submessage.
func (b *Builder) AckNack(m *AckNack) bool { return b.fits(m.Size()) && b.added(m.Append(b.buf)) }

// NackFrag adds a NACK_FRAG submessage.
func (b *Builder) NackFrag(m *NackFrag) bool { return b.fits(m.Size()) && b.added(m.Append(b.buf)) }

// Gap adds a GAP submessage.
func (b *Builder) Gap(m *Gap) bool { return b.fits(m.Size()) && b.added(m.Append(b.buf)) }
