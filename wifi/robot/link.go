// SPDX-License-Identifier: Apache-2.0

package robot

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/wifi/packet"
)

const (
	// Silence is how long a robot may send nothing before the connection is given up. A calibration of its infrared
	// sensors takes it 2.1 s.
	Silence = 3 * time.Second
	// writeTime is how long a command may take to leave this machine: longer, and nothing has been taken for minutes.
	writeTime = 250 * time.Millisecond
	// dialTime bounds an attempt to connect.
	dialTime = 2 * time.Second
	// firstPause and lastPause bound the pause between two attempts. It doubles with each.
	firstPause = 250 * time.Millisecond
	lastPause  = 5 * time.Second
)

// run keeps the link until ctx ends.
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

// connect makes one connection and works on it until it ends.
func (r *Robot) connect(ctx context.Context) error {
	dial, cancel := context.WithTimeout(ctx, dialTime)
	conn, err := r.cfg.Dial(dial, r.cfg.Address)
	cancel()
	if err != nil {
		return err
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // what is given up is not sent any more
	}
	ctx, cancel = context.WithCancel(ctx)
	stop := task.AfterDone(ctx, "wifi connection", func() { _ = conn.Close() })
	r.begin()
	var group task.Group
	ended := make(chan error, 2) // holds both reasons
	group.Go("wifi commands", func() { ended <- r.send(ctx, conn); cancel() })
	group.Go("wifi sensors", func() { ended <- r.receive(conn); cancel() })
	group.Wait()
	stop()
	_ = conn.Close()
	return <-ended
}

// send writes commands as they come, the first one with zero speeds.
func (r *Robot) send(ctx context.Context, conn net.Conn) error {
	for {
		out := r.takeOut()
		if len(out) > 0 {
			if err := conn.SetWriteDeadline(time.Now().Add(writeTime)); err != nil {
				return err
			}
			if _, err := conn.Write(out); err != nil {
				return err
			}
		}
		select {
		case <-r.wake:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// receive reads what the robot sends. Its first sensors are dropped: they may be as old as the connection before.
func (r *Robot) receive(conn net.Conn) error {
	in := bufio.NewReaderSize(conn, 4096)
	var sensors [packet.SensorsSize]byte
	picture := make([]byte, packet.PictureSize)
	fresh := false
	for {
		if err := conn.SetReadDeadline(time.Now().Add(Silence)); err != nil {
			return err
		}
		first, err := in.ReadByte()
		if err != nil {
			return fmt.Errorf("no answer: %w", err)
		}
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
				r.hear(&s)
			}
			fresh = true
		}
	}
}
