// SPDX-License-Identifier: Apache-2.0

package wire

// Handler receives the entity submessages of a datagram in order. The pointers and slices are valid only during the
// call: they point into the Parser and the datagram.
type Handler interface {
	// HandleData handles a sample, or the end of an instance.
	HandleData(r *Receiver, m *Data)
	// HandleDataFrag handles fragments of a sample.
	HandleDataFrag(r *Receiver, m *DataFrag)
	// HandleHeartbeat handles the announcement of a writer's available samples.
	HandleHeartbeat(r *Receiver, m *Heartbeat)
	// HandleHeartbeatFrag handles the announcement of a sample's available fragments.
	HandleHeartbeatFrag(r *Receiver, m *HeartbeatFrag)
	// HandleAckNack handles a reader's acknowledgments and requests.
	HandleAckNack(r *Receiver, m *AckNack)
	// HandleNackFrag handles a reader's request for fragments.
	HandleNackFrag(r *Receiver, m *NackFrag)
	// HandleGap handles the announcement of irrelevant sequence numbers.
	HandleGap(r *Receiver, m *Gap)
}

// NopHandler ignores all submessages. Embed it to handle only some kinds.
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
