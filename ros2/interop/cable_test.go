// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// cable connects two hosts by their interfaces eth0 and passes Ethernet frames between them, some of which it drops or
// reorders, reproducibly for the same seed and traffic. It consists of TAP devices that this process reads and writes.
type cable struct {
	loss                    float64        // share of the frames
	jitter                  time.Duration  // each frame is delayed by up to this, so that frames overtake each other
	cut                     [2]atomic.Bool // every frame that this end sends is lost
	calm                    atomic.Bool    // no frame is lost or changes places
	silence                 [2]silence     // of each end
	ends                    [2]*os.File
	copiers                 sync.WaitGroup
	carried, lost, reversed atomic.Int64

	// watch is called with each frame that an end sends; nil for none.
	watch func(end int, frame []byte)
}

// cableReversal is the share of the frames that are swapped with the next.
const cableReversal = 0.02

// cableName guards the name "cable" until its owner is moved to a host.
var cableName sync.Mutex

// connectHosts connects two hosts by a lossy cable.
func connectHosts(t testing.TB, hosts [2]*host, c *cable, seed uint64) {
	t.Helper()
	cableName.Lock()
	defer cableName.Unlock()
	for i, h := range hosts {
		end, err := openTAP("cable")
		if err != nil {
			unavailable(t, "no TAP devices: %v", err)
		}
		c.ends[i] = end
		if out, err := exec.Command("ip", strings.Fields(fmt.Sprintf("link set cable netns %d name eth0", h.pid))...).CombinedOutput(); err != nil {
			t.Fatalf("ip link set netns: %v: %s", err, out)
		}
	}
	for i := range c.ends {
		c.copiers.Add(1)
		go c.carry(i, rand.New(rand.NewPCG(seed, uint64(i))))
	}
	t.Cleanup(func() {
		for _, end := range c.ends {
			_ = end.Close()
		}
		c.copiers.Wait()
		t.Logf("cable (seed %d): %d frames carried, %d lost, %d reversed", seed, c.carried.Load(), c.lost.Load(), c.reversed.Load())
	})
}

// openTAP creates a TAP device in this process's namespace.
func openTAP(name string) (*os.File, error) {
	fd, err := unix.Open("/dev/net/tun", unix.O_RDWR|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("/dev/net/tun: %w", err)
	}
	request, err := unix.NewIfreq(name)
	if err == nil {
		request.SetUint16(unix.IFF_TAP | unix.IFF_NO_PI)
		err = unix.IoctlIfreq(fd, unix.TUNSETIFF, request)
	}
	if err != nil {
		_ = unix.Close(fd)
		return nil, fmt.Errorf("TUNSETIFF: %w", err)
	}
	return os.NewFile(uintptr(fd), name), nil
}

// carry passes frames from end i to the other one until either is closed. A delayed frame is sent after the next one,
// or soon if there is none.
func (c *cable) carry(i int, random *rand.Rand) {
	defer c.copiers.Done()
	from, to := c.ends[i], c.ends[1-i]
	buffer, held := make([]byte, 2048), []byte(nil)
	for {
		if held != nil {
			_ = from.SetReadDeadline(time.Now().Add(5 * time.Millisecond))
		} else {
			_ = from.SetReadDeadline(time.Time{})
		}
		n, err := from.Read(buffer)
		if err == nil {
			c.silence[i].frame()
			if c.watch != nil {
				c.watch(i, buffer[:n])
			}
		}
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
		case errors.Is(err, unix.EIO): // the interface is not up yet
			time.Sleep(time.Millisecond)
			continue
		case err != nil:
			return
		case c.cut[i].Load() || random.Float64() < c.loss && !c.calm.Load():
			c.lost.Add(1)
			continue
		case c.jitter > 0:
			frame := slices.Clone(buffer[:n])
			c.copiers.Add(1)
			time.AfterFunc(time.Duration(random.Int64N(int64(c.jitter))), func() {
				defer c.copiers.Done()
				c.put(to, frame)
			})
			continue
		case held == nil && random.Float64() < cableReversal && !c.calm.Load():
			c.reversed.Add(1)
			held = append(held, buffer[:n]...)
			continue
		default:
			c.put(to, buffer[:n])
		}
		if held != nil {
			c.put(to, held)
			held = nil
		}
	}
}

// put writes a frame to an end. An interface that is not up accepts none.
func (c *cable) put(to *os.File, frame []byte) {
	if _, err := to.Write(frame); err == nil {
		c.carried.Add(1)
	}
}

// silence measures for how long an end sends nothing.
type silence struct {
	mu   sync.Mutex
	last time.Time
	max  time.Duration
}

// reset begins to measure.
func (s *silence) reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last, s.max = time.Now(), 0
}

// frame records that a frame was sent.
func (s *silence) frame() {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	s.max, s.last = max(s.max, now.Sub(s.last)), now
}

// longest returns the longest time without a frame since reset.
func (s *silence) longest() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.max
}
