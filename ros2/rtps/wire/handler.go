// SPDX-License-Identifier: Apache-2.0

package wire

// Handler receives the entity submessages of a datagram in their order. The
// pointers, and the slices behind them, are valid during the call only: they
// point into the Parser and into the datagram.
type Handler interface {
	HandleData(r *Receiver, m *Data)
	HandleDataFrag(r *Receiver, m *DataFrag)
	HandleHeartbeat(r *Receiver, m *Heartbeat)
	HandleHeartbeatFrag(r *Receiver, m *HeartbeatFrag)
	HandleAckNack(r *Receiver, m *AckNack)
	HandleNackFrag(r *Receiver, m *NackFrag)
	HandleGap(r *Receiver, m *Gap)
}

// NopHandler ignores everything. Embed it to handle only some kinds.
type NopHandler struct{}

var _ Handler = NopHandler{}

// HandleData implements Handler.
func (NopHandler) HandleData(*Receiver, *Data) {}

// HandleDataFrag implements Handler.
func (NopHandler) HandleDataFrag(*Receiver, *DataFrag) {}

// HandleHeartbeat implements Handler.
func (NopHandler) HandleHeartbeat(*Receiver, *Heartbeat) {}

// HandleHeartbeatFrag implements Handler.
func (NopHandler) HandleHeartbeatFrag(*Receiver, *HeartbeatFrag) {}

// HandleAckNack implements Handler.
func (NopHandler) HandleAckNack(*Receiver, *AckNack) {}

// HandleNackFrag implements Handler.
func (NopHandler) HandleNackFrag(*Receiver, *NackFrag) {}

// HandleGap implements Handler.
func (NopHandler) HandleGap(*Receiver, *Gap) {}
