// SPDX-License-Identifier: Apache-2.0

package foxglove

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/web/internal/outbox"
)

// recording is a recording that a test controls. Commands are applied to it, or fail.
type recording struct {
	mu    sync.Mutex
	state PlaybackState
	heard []PlaybackCommand
	fail  error
}

func (p *recording) Control(_ context.Context, c PlaybackCommand) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.heard = append(p.heard, c)
	if p.fail != nil {
		return p.fail
	}
	p.state.Paused, p.state.Speed = !c.Play, c.Speed
	if !c.Seek.IsZero() {
		p.state.Now = c.Seek
	}
	return nil
}

func (p *recording) State() PlaybackState {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.state
}

// move changes the state.
func (p *recording) move(change func(*PlaybackState)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(&p.state)
}

// playIt is the option of a scene that plays a recording.
func playIt(p *recording) func(*scene, *Config) { return func(_ *scene, c *Config) { c.Playback = p } }

// playbackBytes returns a client's command in its wire format, given in hex.
func (s *scene) playbackBytes(text string) []byte {
	s.Helper()
	data, err := hex.DecodeString(text)
	s.must(err)
	return data
}

func TestControlPlayback(t *testing.T) {
	p := &recording{state: PlaybackState{Now: time.Unix(0, 7), Speed: 1}}
	inScene(t, func(s *scene) {
		// Play at speed 2 from 9 ns, with the request id "x".
		s.send(s.playbackBytes("03" + "00" + "00000040" + "01" + "0900000000000000" + "01000000" + "78"))
		if got := hex.EncodeToString(s.binary()); got != "05"+"00"+"0900000000000000"+"00000040"+"01"+"01000000"+"78" {
			s.Error(got)
		}
		// Pause; the time is not used.
		s.send(s.playbackBytes("03" + "01" + "0000803f" + "00" + "0500000000000000" + "00000000"))
		if got := hex.EncodeToString(s.binary()); got != "05"+"01"+"0900000000000000"+"0000803f"+"00"+"00000000" {
			s.Error(got)
		}
		p.fail = errors.New("the file is gone")
		s.send(s.playbackBytes("03" + "00" + "00000040" + "01" + "0300000000000000" + "01000000" + "79"))
		if got := hex.EncodeToString(s.binary()); got != "05"+"01"+"0900000000000000"+"0000803f"+"00"+"01000000"+"79" {
			s.Error("a seek that failed:", got)
		}
		s.refused(statusError, "the file is gone")
		if got := fmt.Sprint(len(p.heard), p.heard[1].Seek.IsZero()); got != "3 true" {
			s.Error(got)
		}
	}, playIt(p))
	inScene(t, func(s *scene) {
		s.send(s.playbackBytes("03" + "00" + "00000040" + "00" + "0000000000000000" + "00000000"))
		s.refused(statusError, ErrNoPlayback.Error())
		s.send(s.playbackBytes("03" + "00"))
		s.refused(statusError, "playback control of 2 bytes")
		s.send(nil)
		s.refused(statusError, "empty")
		s.send([]byte{9})
		s.refused(statusError, "opcode 9")
	})
}

// TestControlPlaybackIsBounded: a recording that responds slowly does not accumulate goroutines.
func TestControlPlaybackIsBounded(t *testing.T) {
	p := &slowRecording{gate: make(chan struct{})}
	inScene(t, func(s *scene) {
		p.gate = make(chan struct{}) // of the bubble
		command := s.playbackBytes("03" + "00" + "00000040" + "00" + "0000000000000000" + "00000000")
		for range maxCalls {
			s.send(command)
		}
		s.send(command)
		s.refused(statusError, "more than 32 calls at once")
		close(p.gate)
		for range maxCalls {
			s.binary()
		}
	}, func(_ *scene, c *Config) { c.Playback = p })
}

// slowRecording responds to a command once its gate is open.
type slowRecording struct {
	recording
	gate chan struct{}
}

func (p *slowRecording) Control(ctx context.Context, c PlaybackCommand) error {
	<-p.gate
	return p.recording.Control(ctx, c)
}

// TestPlaybackErrors: each error names what is invalid in the message.
func TestPlaybackErrors(t *testing.T) {
	const ok = "01" + "0000803f" + "01" + "0100000000000000" + "01000000" + "78"
	for _, c := range []struct{ body, want string }{
		{strings.Replace(ok, "01", "02", 1), "playback command 2"},
		{strings.Replace(ok, "0000803f", "00000000", 1), "playback speed 0"},
		{strings.Replace(ok, "0000803f", "000080bf", 1), "playback speed -1"},
		{strings.Replace(ok, "0000803f", "0000807f", 1), "playback speed +Inf"},
		{strings.Replace(ok, "0000803f", "0000c07f", 1), "playback speed NaN"},
		{strings.Replace(ok, "0100000000000000", "0000000000000080", 1), "playback time 9223372036854775808"},
		{strings.Replace(ok, "01000000"+"78", "02000000"+"78", 1), "a name of 2 bytes"},
		{strings.Replace(ok, "01000000"+"78", "00000000"+"78", 1), "a name of 0 bytes"},
		{ok[:17*2] + "01010000" + strings.Repeat("61", 257), ""},
	} {
		body, err := hex.DecodeString(c.body)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := parsePlayback(body); !errors.Is(err, ErrMessage) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %+v, %v; want %q", c.body, r, err, c.want)
		}
	}
	body, _ := hex.DecodeString(ok)
	for n := range body {
		if r, err := parsePlayback(body[:n]); !errors.Is(err, ErrMessage) {
			t.Errorf("the first %d bytes: %+v, %v", n, r, err)
		}
	}
	// The latest possible time and the longest request id.
	longest := append(append([]byte{0, 0, 0, 128, 63, 1}, 255, 255, 255, 255, 255, 255, 255, 127, 0, 1, 0, 0), make([]byte, maxRequestID)...)
	if r, err := parsePlayback(longest); err != nil || r.Seek.UnixNano() != math.MaxInt64 || len(r.id) != maxRequestID {
		t.Error(r, err)
	}
}

// TestPlaybackStateIsSent: at first, at each change, at each jump, and every two seconds while it plays; a paused
// recording sends nothing.
func TestPlaybackStateIsSent(t *testing.T) {
	p := &recording{}
	inScene(t, func(s *scene) {
		base := time.Now()
		p.state = PlaybackState{Now: base, Speed: 2, Paused: true}
		s.client.wg.Go("playback", s.client.sendPlayback)
		expect := func(what string, status, sought byte) {
			s.Helper()
			got := s.binary()
			if len(got) != 19 || got[1] != status || got[14] != sought {
				s.Errorf("%s: %x, want status %d, sought %d", what, got, status, sought)
			}
		}
		expect("at first", paused, 0)
		s.quiet("it is paused")
		begun := time.Now()
		p.move(func(n *PlaybackState) { n.Paused = false })
		expect("it plays", playing, 0)
		if took := time.Since(begun); took > playbackPoll {
			s.Errorf("the start of playing is sent after %v", took)
		}
		origin, at := p.State().Now, time.Now()
		run := func(d time.Duration) { // the recording plays at its speed
			for end := time.Now().Add(d); time.Now().Before(end); {
				time.Sleep(playbackPoll / 4)
				p.move(func(n *PlaybackState) { n.Now = origin.Add(2 * time.Since(at)) })
			}
		}
		run(playbackInterval - playbackPoll)
		if s.client.box.Stats().Bytes != 0 {
			s.Error("an update for each poll while it plays")
		}
		run(2 * playbackPoll)
		expect("now and then", playing, 0)
		origin = origin.Add(time.Minute)
		run(playbackPoll)
		expect("it was sought", playing, 1)
		p.move(func(n *PlaybackState) { n.Paused, n.Ended = true, true })
		expect("it has ended", ended, 0)
		p.move(func(n *PlaybackState) { n.Now = n.Now.Add(-time.Hour) })
		expect("it was sought while paused", ended, 1)
		s.quiet("it is paused")
	}, playIt(p))
}

// TestPlaybackUpdatesEnd: updates end with the client and with its queue.
func TestPlaybackUpdatesEnd(t *testing.T) {
	inScene(t, func(s *scene) {
		s.must(s.client.box.Answer(outbox.Frame{Head: []byte("unread")}))
		s.client.wg.Go("playback", s.client.sendPlayback)
		synctest.Wait()
		s.client.wg.Wait() // would be a deadlock
		if err := s.client.box.Answer(outbox.Frame{}); !errors.Is(err, outbox.ErrClosed) {
			s.Error(err)
		}
	}, playIt(&recording{}), tight)
}
