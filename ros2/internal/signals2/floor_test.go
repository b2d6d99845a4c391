// SPDX-License-Identifier: Apache-2.0

//go:build peers

package signals2

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// floor is the least that Go needs for one thread: nothing but calls of the same functions, and for informed ones the
// clock once for each message. The functions cannot change meanwhile.
type floor struct {
	plain    []func(*message)
	informed []func(*message, ros2.MessageInfo)
}

func newFloor(c cell) *floor {
	f := &floor{}
	for i := range c.receivers {
		if c.informed {
			f.informed = append(f.informed, func(m *message, _ ros2.MessageInfo) { m.counts[i] += m.Data })
		} else {
			f.plain = append(f.plain, func(m *message) { m.counts[i] += m.Data })
		}
	}
	return f
}

// round calls all functions once for each message.
func (f *floor) round(tb testing.TB, c cell) time.Duration {
	tb.Helper()
	c.threads = 1
	all := c.newMessages()
	begin := time.Now()
	for n := range c.messages {
		if c.informed {
			f.inform(all[0], int64(n))
		} else {
			f.call(all[0])
		}
	}
	took := time.Since(begin)
	if calls := counted(all); calls != int64(c.deliveries()) {
		tb.Fatalf("%d calls, want %d", calls, c.deliveries())
	}
	return took
}

// numbered is round for informed functions on several threads, which get the messages' numbers from one counter: the
// least that a publisher needs which several threads share.
func (f *floor) numbered(tb testing.TB, c cell) time.Duration {
	tb.Helper()
	all := c.newMessages()
	var number atomic.Int64
	begin := time.Now()
	c.each(func(thread, messages int) {
		m := all[thread]
		for range messages {
			f.inform(m, number.Add(1))
		}
	})
	took := time.Since(begin)
	if calls := counted(all); calls != int64(c.deliveries()) {
		tb.Fatalf("%d calls, want %d", calls, c.deliveries())
	}
	return took
}

//go:noinline
func (f *floor) call(m *message) {
	plain := f.plain
	for ; len(plain) >= 8; plain = plain[8:] {
		p := (*[8]func(*message))(plain)
		p[0](m)
		p[1](m)
		p[2](m)
		p[3](m)
		p[4](m)
		p[5](m)
		p[6](m)
		p[7](m)
	}
	for _, call := range plain {
		call(m)
	}
}

//go:noinline
func (f *floor) inform(m *message, n int64) {
	now := time.Now()
	info := ros2.MessageInfo{SourceTime: now, ReceivedTime: now, Sequence: n}
	informed := f.informed
	for ; len(informed) >= 4; informed = informed[4:] {
		p := (*[4]func(*message, ros2.MessageInfo))(informed)
		p[0](m, info)
		p[1](m, info)
		p[2](m, info)
		p[3](m, info)
	}
	for _, call := range informed {
		call(m, info)
	}
}
