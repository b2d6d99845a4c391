// SPDX-License-Identifier: Apache-2.0

package traci

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"sync/atomic"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/traci/wire"
)

// client is a connection. One goroutine reads from it; the goroutine of the world does everything else.
type client struct {
	conn  net.Conn
	stall time.Duration
	inbox chan []byte // messages; closed at the end
	news  chan<- struct{}
	err   error       // why it has ended, once inbox is closed
	ended atomic.Bool // inbox is closed

	order, arrival int
	ordered        bool // it has said its order

	target   time.Duration // up to which it has requested time to advance
	stepping bool          // it waits for that
	rest     []byte        // commands behind that step in the same message
	out      []byte        // the answer so far
	gone     bool          // closed from our side, or by a command
	closing  bool          // it has announced that it closes

	subs   []*subscription
	latest *subscription // context subscription that filters are for
	events events        // since its step began
	later  events        // that its next step reports, too
}

// name returns the client's name for messages.
func (c *client) name() string {
	if c.ordered {
		return fmt.Sprintf("client %d (%s)", c.order, c.conn.RemoteAddr())
	}
	return fmt.Sprintf("client %s", c.conn.RemoteAddr())
}

// read passes messages to the world until the connection ends or stop is closed. A message that has begun must be
// completed in time.
func (c *client) read(stop <-chan struct{}) {
	defer func() {
		c.ended.Store(true)
		close(c.inbox)
		c.rap()
	}()
	in := bufio.NewReader(c.conn)
	for {
		if _, c.err = in.Peek(1); c.err != nil {
			return
		}
		_ = c.conn.SetReadDeadline(time.Now().Add(c.stall)) // an error of it is the read's
		var message []byte
		if message, c.err = wire.ReadMessage(in); c.err != nil {
			return
		}
		_ = c.conn.SetReadDeadline(time.Time{})
		select {
		case c.inbox <- message:
			c.rap()
		case <-stop:
			c.err = io.EOF
			return
		}
	}
}

// rap signals a message in the inbox, or its end.
func (c *client) rap() {
	select {
	case c.news <- struct{}{}:
	default:
	}
}

// begin begins the response to a message.
func (c *client) begin() { c.out = wire.Begin(c.out) }

// send sends the response. A client that does not read it in time is disconnected.
func (c *client) send() {
	_ = c.conn.SetWriteDeadline(time.Now().Add(c.stall)) // an error of it is the write's
	if _, err := c.conn.Write(wire.End(c.out)); err != nil {
		c.err, c.gone = err, true
	}
}

// status appends the status of a command.
func (c *client) status(id byte, err error) {
	result, text := resultOf(err)
	c.out = wire.AppendStatus(c.out, id, result, text)
}
