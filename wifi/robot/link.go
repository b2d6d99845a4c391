// SPDX-License-Identifier: Apache-2.0

package robot

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/wifi/packet"
)

const (
	// silence is how long a robot may send nothing before the connection is closed. A calibration of its infrared
	// sensors takes 2.1 s.
	silence = 3 * time.Second
	// writeTime is the time-out of sending a command: longer means that nothing was acknowledged for minutes.
	writeTime = 250 * time.Millisecond
	// dialTime bounds an attempt to connect.
	dialTime = 2 * time.Second
	// firstPause and lastPause bound the pause between two attempts. It doubles with each.
	firstPause = 250 * time.Millisecond
	lastPause  = 5 * time.Second
)

// run keeps the link connected until ctx ends.
func (r *Robot) run(ctx context.Context) {
	pause := firstPause
	for ctx.Err() == nil {
		began := time.Now()
		err := r.connect(ctx)
		if ctx.Err() != nil {
			return
		}
		if r.lose(err) || time.Since(began) > lastPause {
			pause = firstPause
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
		timer.Stop()
		pause = min(2*pause, lastPause)
	}
}

// connect makes one connection and serves it until it ends.
func (r *Robot) connect(ctx context.Context) error {
	dial, cancel := context.WithTimeout(ctx, dialTime)
	conn, err := r.cfg.Dial(dial, r.cfg.Address)
	cancel()
	if err != nil {
		return err
	}
	here, cancel := context.WithCancel(ctx)
	defer cancel()
	r.begin()
	var group task.Group
	ended := make(chan error, 2)    // capacity for both goroutines
	received := make(chan struct{}) // closed when receive has returned
	group.Go("wifi sensors", func() { defer close(received); ended <- r.receive(conn); cancel() })
	group.Go("wifi commands", func() {
		err := r.send(here, conn)
		ended <- err
		if ctx.Err() != nil && errors.Is(err, context.Canceled) {
			r.hangUp(conn, received)
			return
		}
		abandon(conn)
	})
	group.Wait()
	return <-ended
}

// hangUp ends a working connection: the last command is sent, and the robot reads it before it reads the end. A
// socket closed with unread data would reset the connection, and the robot might lose both.
func (r *Robot) hangUp(conn net.Conn, received <-chan struct{}) {
	defer func() { _ = conn.Close() }()
	r.release()
	if r.write(conn) != nil {
		return
	}
	half, ok := conn.(interface{ CloseWrite() error })
	if !ok || half.CloseWrite() != nil {
		return
	}
	timer := time.NewTimer(writeTime)
	defer timer.Stop()
	select {
	case <-received:
	case <-timer.C:
	}
}

// abandon ends a broken connection. Its unsent data are dropped: they may be a motion, and minutes old when the
// network is back.
func abandon(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

// send writes commands as they arrive, the first one with zero speeds.
func (r *Robot) send(ctx context.Context, conn net.Conn) error {
	for {
		if err := r.write(conn); err != nil {
			return err
		}
		select {
		case <-r.wake:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// write writes the pending command, if any.
func (r *Robot) write(conn net.Conn) error {
	out := r.takeOut()
	if len(out) == 0 {
		return nil
	}
	if err := conn.SetWriteDeadline(time.Now().Add(writeTime)); err != nil {
		return err
	}
	_, err := conn.Write(out)
	return err
}

// silent returns the reason for the end of a connection on which the robot sent nothing.
func silent(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return fmt.Errorf("%w: %w", errOccupied, err)
	}
	return fmt.Errorf("no answer: %w", err)
}

// receive reads the robot's packets. The first sensors are dropped: they may be as old as the previous connection.
func (r *Robot) receive(conn net.Conn) error {
	in := bufio.NewReaderSize(conn, 4096)
	var sensors [packet.SensorsSize]byte
	picture := make([]byte, packet.PictureSize)
	fresh, heard := false, false
	for {
		if err := conn.SetReadDeadline(time.Now().Add(silence)); err != nil {
			return err
		}
		first, err := in.ReadByte()
		switch {
		case err != nil && !heard:
			return silent(err)
		case err != nil:
			return fmt.Errorf("no answer: %w", err)
		}
		heard = true
		kind := packet.Kind(first)
		if _, err := kind.Size(); err != nil {
			return err
		}
		switch kind {
		case packet.KindPicture:
			if _, err := io.ReadFull(in, picture); err != nil {
				return fmt.Errorf("picture: %w", err)
			}
			r.picture(picture)
		case packet.KindSensors:
			if _, err := io.ReadFull(in, sensors[:]); err != nil {
				return fmt.Errorf("sensors: %w", err)
			}
			s, err := packet.DecodeSensors(sensors[:])
			if err != nil {
				return err
			}
			if fresh {
				r.store(&s)
			}
			fresh = true
		}
	}
}
