// SPDX-License-Identifier: Apache-2.0

// Package socket runs a viewer's WebSocket: one goroutine reads, another writes the frames of the viewer's outbox,
// and neither waits for the other.
package socket

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/coder/websocket"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/web/internal/outbox"
)

// Limits of what a viewer sends.
const (
	// MaxMessage is the largest message, in bytes: a raw picture of 640×480 fits.
	MaxMessage = 1 << 20
	// MaxSkipped is the longest message that is skipped, in bytes, where the viewer gets an error for one of more than
	// MaxMessage. One that is longer still ends the connection.
	MaxSkipped = 8 << 20
	// MaxRate is the rate at which messages are read, 1/s, MaxBurst the number read at once; more wait in the
	// network.
	MaxRate  = 500
	MaxBurst = 500
)

// joinBelow is the size in bytes up to which frames are copied together and written in one call.
const joinBelow = 16 << 10

// ErrPolicy is matched when a viewer violates the protocol and is disconnected.
var ErrPolicy = errors.New("socket: policy violation")

// errTooLong is matched when a message of a viewer has more than [MaxMessage] bytes.
var errTooLong = errors.New("socket: message too long")

// Handler processes a message of the viewer. An error that matches [ErrPolicy] or [outbox.ErrFull] ends the
// connection.
type Handler func(ctx context.Context, text bool, data []byte) error

// Serve reads messages and writes frames until the viewer leaves, breaks a rule or ctx ends, and closes the connection
// and the box. The error is nil if the viewer left.
func Serve(ctx context.Context, conn *Conn, box *outbox.Box, handle Handler) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	conn.SetReadLimit(MaxMessage)
	if conn.OnTooLong != nil {
		conn.SetReadLimit(MaxSkipped)
	}
	var wg task.Group
	wg.Go("web viewer, writing", func() {
		if err := write(ctx, conn, box); err != nil {
			cancel(err)
		}
	})
	err := read(ctx, conn, handle)
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	cancel(nil)
	box.Close()
	shut(conn, err)
	wg.Wait()
	if left(err) {
		return nil
	}
	return err
}

// shut ends the connection: with a reason where there is one, at once where the viewer does not listen.
func shut(conn *Conn, err error) {
	switch {
	case errors.Is(err, ErrPolicy):
		_ = conn.Close(websocket.StatusPolicyViolation, reason(err)) // it is cut off anyway
	case errors.Is(err, context.Canceled):
		_ = conn.Close(websocket.StatusGoingAway, "")
	default:
		_ = conn.CloseNow()
	}
}

// reason fits a text into a close frame.
func reason(err error) string {
	const most = 120 // RFC 6455, 5.5: 125 bytes with the status
	if s := err.Error(); len(s) <= most {
		return s
	}
	return err.Error()[:most]
}

// left reports whether the viewer went of its own will, or the server is ending.
func left(err error) bool {
	var closed websocket.CloseError
	return err == nil || errors.As(err, &closed) || errors.Is(err, io.EOF) || errors.Is(err, context.Canceled)
}

func read(ctx context.Context, conn *Conn, handle Handler) error {
	for {
		kind, data, size, err := conn.message(ctx)
		if err != nil {
			return err
		}
		if err := conn.rate.wait(ctx); err != nil {
			return err
		}
		if size > MaxMessage {
			if err := conn.OnTooLong(fmt.Errorf("%w: %d bytes, at most %d", errTooLong, size, MaxMessage)); err != nil {
				return err
			}
			continue
		}
		if err := handle(ctx, kind == websocket.MessageText, data); err != nil {
			return err
		}
	}
}

// message reads a message and returns its size in bytes. Of one that has more than MaxMessage the data are nil.
func (c *Conn) message(ctx context.Context) (kind websocket.MessageType, data []byte, size int64, err error) {
	kind, r, err := c.Reader(ctx)
	if err != nil {
		return 0, nil, 0, err
	}
	if data, err = io.ReadAll(io.LimitReader(r, MaxMessage+1)); err != nil || len(data) <= MaxMessage {
		return kind, data, int64(len(data)), err
	}
	skipped, err := io.Copy(io.Discard, r)
	return kind, nil, int64(len(data)) + skipped, err
}

// rate bounds how many messages, pings and pongs are read. Its zero value permits a burst. One goroutine uses it.
type rate struct {
	used float64 // of MaxBurst
	last time.Time
}

// wait waits until one more may be read.
func (r *rate) wait(ctx context.Context) error {
	now := time.Now()
	r.used = max(r.used-MaxRate*now.Sub(r.last).Seconds(), 0) + 1
	r.last = now
	if r.used <= MaxBurst {
		return nil
	}
	return pause(ctx, time.Duration((r.used-MaxBurst)/MaxRate*float64(time.Second)))
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// write sends what the box holds: what waits together leaves with one call of the kernel, as the messages of a robot's
// control cycle do. The library would take a call, timers and contexts for each of them.
func write(ctx context.Context, conn *Conn, box *outbox.Box) error {
	var frames []outbox.Frame
	var batch []byte
	for {
		var err error
		frames, err = box.Next(ctx, frames[:0], joinBelow)
		if ctx.Err() != nil {
			return nil //nolint:nilerr // the end of the viewer is no error of his
		}
		if err != nil { // the box was closed: the viewer is to be cut off
			return err
		}
		batch, err = conn.send(ctx, batch[:0], frames)
		if err != nil {
			return fmt.Errorf("socket: %w", err)
		}
		clear(frames)
	}
}

// send sends frames in their order. It returns batch, for the next time.
func (c *Conn) send(ctx context.Context, batch []byte, frames []outbox.Frame) ([]byte, error) {
	for i := range frames {
		f := &frames[i]
		if f.Split != nil {
			var err error
			if batch, err = c.send(ctx, batch, parts(f)); err != nil {
				return batch, err
			}
			batch = batch[:0] // it was sent
			continue
		}
		if f.Convert != nil {
			if f.Head, f.Body = f.Convert(f.Body), nil; f.Head == nil {
				continue
			}
		}
		kind := websocket.MessageBinary
		if f.Text {
			kind = websocket.MessageText
		}
		if size := len(f.Head) + len(f.Body); size <= joinBelow {
			batch = append(append(appendHeader(batch, kind, size), f.Head...), f.Body...)
			continue
		}
		if err := c.flush(batch); err != nil {
			return batch, err
		}
		batch = batch[:0]
		if err := stream(ctx, c.Conn, kind, f); err != nil {
			return batch, err
		}
	}
	return batch, c.flush(batch)
}

// parts returns the frames that a frame is split into.
func parts(f *outbox.Frame) []outbox.Frame {
	var frames []outbox.Frame
	for _, part := range f.Split(f.Body) {
		if part != nil {
			frames = append(frames, outbox.Frame{Head: part, Text: f.Text})
		}
	}
	return frames
}

// stream sends a large frame without copying it.
func stream(ctx context.Context, conn *websocket.Conn, kind websocket.MessageType, f *outbox.Frame) error {
	w, err := conn.Writer(ctx, kind)
	if err != nil {
		return err
	}
	for _, part := range [][]byte{f.Head, f.Body} {
		if len(part) == 0 {
			continue
		}
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return w.Close()
}
