// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/fixtures"
)

// heardPlayback is a playback state of Foxglove's protocol (opcode 5).
type heardPlayback struct {
	status byte // 0 playing, 1 paused, 3 ended
	now    time.Duration
	speed  float32
	sought bool
	id     string
}

// control sends a playback control message (opcode 3); without a seek it is negative.
func (s *surfer) control(command byte, speed float32, seek time.Duration, id string) {
	s.t.Helper()
	m := binary.LittleEndian.AppendUint32([]byte{3, command}, math.Float32bits(speed))
	if m = append(m, 0); seek >= 0 {
		m[len(m)-1] = 1
	}
	m = binary.LittleEndian.AppendUint64(m, uint64(max(0, seek)))
	m = append(binary.LittleEndian.AppendUint32(m, uint32(len(id))), id...)
	if err := s.conn.Write(s.t.Context(), websocket.MessageBinary, m); err != nil {
		s.t.Fatal(err)
	}
}

// playback reads until a playback state fits.
func (s *surfer) playback(what string, fits func(heardPlayback) bool) {
	s.t.Helper()
	for {
		kind, m, err := s.conn.Read(s.t.Context())
		if err != nil {
			s.t.Fatalf("waiting for %s: %v", what, err)
		}
		if kind != websocket.MessageBinary || m[0] != 5 {
			continue
		}
		p := heardPlayback{
			status: m[1], now: time.Duration(binary.LittleEndian.Uint64(m[2:])), speed: math.Float32frombits(binary.LittleEndian.Uint32(m[10:])),
			sought: m[14] == 1, id: string(m[19:]),
		}
		if fits(p) {
			return
		}
	}
}

// TestViewersControlAPlayedBag: Foxglove's playback controls pause, seek and speed up a bag that is played, and at its
// end it waits for them.
func TestViewersControlAPlayedBag(t *testing.T) {
	p := prepare(t)
	s := surf(t, p.page("bag", "play", fixtures.TenTexts(t), "--web=localhost:0", "--disable-keyboard-controls"))
	s.hear("serverInfo", func(m map[string]any) bool {
		start, _ := m["dataStartTime"].(map[string]any)
		end, _ := m["dataEndTime"].(map[string]any)
		if !slices.Contains(m["capabilities"].([]any), any("playbackControl")) || start["sec"] != 1.0 || end["sec"] != 10.0 {
			t.Errorf("%v", m)
		}
		return true
	})
	s.playback("the first state", func(p heardPlayback) bool { return p.status == 0 && p.speed == 1 && p.now >= time.Second })
	s.control(1, 1, 5500*time.Millisecond, "stop")
	s.playback("the pause", func(p heardPlayback) bool {
		return p == heardPlayback{status: 1, now: 5500 * time.Millisecond, speed: 1, sought: true, id: "stop"}
	})
	s.control(0, 100, -1, "go")
	s.playback("faster", func(p heardPlayback) bool { return p.id == "go" && p.speed == 100 && !p.sought })
	s.playback("the end", func(p heardPlayback) bool { return p.status == 3 && p.now == 10*time.Second })
	s.control(0, 1, 2*time.Second, "back")
	s.playback("back", func(p heardPlayback) bool {
		return p.id == "back" && p.status == 0 && p.sought && p.now >= 2*time.Second && p.now < 9*time.Second
	})
	s.control(0, 1, time.Hour, "away")
	s.hear("status", func(m map[string]any) bool { return m["level"] == 2.0 })
}
