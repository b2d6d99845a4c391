// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire/internal/pcapng"
)

// session is one recorded session of real ROS 2 systems.
type session struct {
	name      string
	datagrams []pcapng.Datagram
}

// sessions reads the captures once for all tests.
var sessions = sync.OnceValues(func() ([]session, error) {
	paths, err := filepath.Glob("testdata/pcap/*.pcapng.gz")
	if err != nil || len(paths) != 7 {
		return nil, fmt.Errorf("%d captures, %w", len(paths), err)
	}
	var all []session
	for _, path := range paths {
		file, err := gunzip(path)
		if err != nil {
			return nil, err
		}
		datagrams, err := pcapng.Read(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, session{strings.TrimSuffix(filepath.Base(path), ".pcapng.gz"), datagrams})
	}
	return all, nil
})

// captures calls f for each recorded session.
func captures(tb testing.TB, f func(name string, datagrams []pcapng.Datagram)) {
	tb.Helper()
	all, err := sessions()
	if err != nil {
		tb.Fatal(err)
	}
	for _, s := range all {
		f(s.name, s.datagrams)
	}
}

func gunzip(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return io.ReadAll(z)
}

// isRTPS reports whether a datagram begins like a message.
func isRTPS(b []byte) bool { return len(b) >= HeaderSize && string(b[:4]) == magic }

// TestCapturesParse: all RTPS messages in the captures parse to the last byte, in strict mode except for the base-0
// ACKNACK of Fast DDS; all other datagrams are wake-ups of Cyclone DDS's threads.
func TestCapturesParse(t *testing.T) {
	captures(t, func(name string, datagrams []pcapng.Datagram) {
		var p Parser
		messages := 0
		for _, d := range datagrams {
			err := p.Walk(d.Payload, NopHandler{})
			if isRTPS(d.Payload) {
				messages++
				if err != nil {
					t.Errorf("%s frame %d: %v", name, d.Frame, err)
				}
			} else if err != errNotRTPS || len(d.Payload) != 1 {
				t.Errorf("%s frame %d: %d bytes, %v", name, d.Frame, len(d.Payload), err)
			}
		}
		t.Logf("%s: %d messages", name, messages)
	})
}

// TestCapturesConsumed checks that the submessages and what is used of them
// account for every byte of every datagram.
func TestCapturesConsumed(t *testing.T) {
	captures(t, func(name string, datagrams []pcapng.Datagram) {
		for _, d := range datagrams {
			if !isRTPS(d.Payload) {
				continue
			}
			s, total := NewScanner(d.Payload), HeaderSize
			var p Parser
			for s.Next() {
				sub := s.Submessage()
				total += submessageHeaderSize + len(sub.Body)
				if rest := unused(&p, &sub); rest != 0 {
					t.Errorf("%s frame %d: %v leaves %d bytes", name, d.Frame, sub.ID, rest)
				}
			}
			if s.Err() != nil || total != len(d.Payload) {
				t.Errorf("%s frame %d: %d of %d bytes, %v", name, d.Frame, total, len(d.Payload), s.Err())
			}
		}
	})
}

// unused returns how many bytes of the body of an entity or interpreter submessage its decoder does not use, beyond the
// padding of a fragment.
func unused(p *Parser, s *Submessage) int {
	h := &sizes{}
	p.recv.SourceVendor = VendorEProsima
	if err := p.handle(s, h); err != nil {
		return -1
	}
	switch s.ID {
	case subInfoTS:
		h.n = infoTS{Time: p.recv.Timestamp}.Size()
	case subInfoDst:
		h.n = infoDst{}.Size()
	case subInfoSrc:
		h.n = infoSrc{}.Size()
	}
	if h.n == 0 {
		return 0 // skipped by its length
	}
	return submessageHeaderSize + align4(len(s.Body)) - h.n
}

// sizes notes the size that the last submessage would be encoded with.
type sizes struct{ n int }

func (h *sizes) HandleData(_ *Receiver, m *Data)                   { h.n = m.Size() }
func (h *sizes) HandleDataFrag(_ *Receiver, m *DataFrag)           { h.n = m.Size() }
func (h *sizes) HandleHeartbeat(_ *Receiver, m *Heartbeat)         { h.n = m.Size() }
func (h *sizes) HandleHeartbeatFrag(_ *Receiver, m *HeartbeatFrag) { h.n = m.Size() }
func (h *sizes) HandleAckNack(_ *Receiver, m *AckNack)             { h.n = m.Size() }
func (h *sizes) HandleNackFrag(_ *Receiver, m *NackFrag)           { h.n = m.Size() }
func (h *sizes) HandleGap(_ *Receiver, m *Gap)                     { h.n = m.Size() }
