// SPDX-License-Identifier: Apache-2.0

package ros2

import "github.com/epuck-ros2/epuck-driver/ros2/inproc"

// Exchange brings the shared publishers and the subscriptions of one transport
// together, so that messages pass between them by pointer. A transport holds one
// and shows it by implementing [ExchangeTransport]. The zero value is ready; it is
// safe for concurrent use.
type Exchange = inproc.Exchange

// ExchangeTransport is a [Transport] whose nodes exchange shared messages without
// it.
type ExchangeTransport interface {
	Transport
	// Exchange returns the meeting place of the transport's nodes.
	Exchange() *Exchange
}

// exchange returns the node's exchange, nil if its transport has none.
func (n *Node) exchange() *Exchange {
	if t, ok := n.transport.(ExchangeTransport); ok {
		return t.Exchange()
	}
	return nil
}
