// SPDX-License-Identifier: Apache-2.0

//go:build linux

package machine

import (
	"fmt"
	"math/bits"
	"os"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

// The layout of what is shared with the plugin: struct core of plugin/core.h and struct thread of plugin/model.c.
const (
	maxEvents, maxCalls = 32, 512
	coreSize            = 196608 // the header, and the model's memory behind it, of any sizes that a model may have

	maxThreads  = 256
	threadSize  = 4416
	callsOffset = 21 * 8
	countsSize  = maxThreads * threadSize
)

// header is the begin of struct core.
type header struct {
	now       atomic.Uint64
	limit     atomic.Uint64
	running   atomic.Uint32
	adopted   atomic.Uint32
	start     int64
	booted    int64
	hertz     uint64
	eventCost [maxEvents]uint32
	callCost  [maxCalls]uint32
}

// shared is memory that another process has as well.
type shared struct {
	file *os.File
	data []byte
}

func share(name string, size int) (*shared, error) {
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("machine: shared memory: %w", err)
	}
	s := &shared{file: os.NewFile(uintptr(fd), name)}
	if err = unix.Ftruncate(fd, int64(size)); err == nil {
		s.data, err = unix.Mmap(fd, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	}
	if err != nil {
		_ = s.file.Close()
		return nil, fmt.Errorf("machine: shared memory: %w", err)
	}
	return s, nil
}

func (s *shared) close() {
	_ = unix.Munmap(s.data) // it can't fail for what was mapped
	_ = s.file.Close()
}

func (s *shared) header() *header { return (*header)(unsafe.Pointer(&s.data[0])) }

// prepare fills the header in.
func (h *header) prepare(p armcost.Parameters, start time.Time) {
	h.hertz = uint64(p.Parameters["core"].Likely)
	h.start, h.booted = start.UnixNano(), int64(bootTime)
	events, calls := p.Costs(maxCalls)
	copy(h.eventCost[:], events)
	copy(h.callCost[:], calls)
}

// bootTime is how long a machine has been up when its time begins, as a robot's whose programs start last.
const bootTime = 30 * time.Second

// ticks are sixteenths of a cycle since the machine's time began.
type ticks uint64

const farAway = ticks(1) << 62

func (h *header) ticks(d time.Duration) ticks {
	if d <= 0 {
		return 0
	}
	hi, lo := bits.Mul64(uint64(d), h.hertz*16)
	if hi >= uint64(time.Second) {
		return farAway
	}
	q, rest := bits.Div64(hi, lo, uint64(time.Second))
	if rest > 0 {
		q++ // not before the time
	}
	return min(ticks(q), farAway)
}

func (h *header) duration(t ticks) time.Duration {
	hi, lo := bits.Mul64(uint64(t), uint64(time.Second))
	if hi >= h.hertz*16 {
		return 1<<63 - 1
	}
	q, _ := bits.Div64(hi, lo, h.hertz*16)
	return time.Duration(min(q, 1<<63-1))
}

// counts are what the plugin counted of one program.
func (s *shared) counts() armcost.Counts {
	c := armcost.Counts{Events: map[string]float64{}, Calls: map[int]float64{}}
	for thread := range maxThreads {
		at := thread * threadSize
		word := func(offset int) float64 {
			return float64(atomic.LoadUint64((*uint64)(unsafe.Pointer(&s.data[at+offset]))))
		}
		if word(0) == 0 {
			continue
		}
		for i, name := range armcost.Events() {
			c.Events[name] += word(8 * i)
		}
		for i := range maxCalls {
			if n := word(callsOffset + 8*i); n > 0 {
				c.Calls[i] += n
			}
		}
	}
	return c
}
