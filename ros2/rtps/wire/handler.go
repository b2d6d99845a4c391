// SPDX-License-Identifier: Apache-2.0

package wire

// Handler receives the entity submessages of a datagram in their order. The
// pointers, and the slices behind them, are valid during the call only: they
// point into the Parser and into the datagram.
type Handler interface {
	// HandleData takes a sample, or the end of an instance.
	HandleData(r *Receiver, m *Data)
	// HandleDataFrag takes fragments of a sample.
	HandleDataFrag(r *Receiver, m *DataFrag)
	// HandleHeartbeat takes what a writer says it holds.
	HandleHeartbeat(r *Receiver, m *Heartbeat)
	// HandleHeartbeatFrag takes what a writer holds of one sample.
	HandleHeartbeatFrag(r *Receiver, m *HeartbeatFrag)
	// HandleAckNack takes what a reader has and lacks.
	HandleAckNack(r *Receiver, m *AckNack)
	// HandleNackFrag takes what a reader lacks of one sample.
	HandleNackFrag(r *Receiver, m *NackFrag)
	// HandleGap takes which samples will not come.
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
