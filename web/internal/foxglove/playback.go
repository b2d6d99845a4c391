// SPDX-License-Identifier: Apache-2.0

package foxglove

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"
)

// Playback is a recording that is played on the network. Its methods are safe for concurrent use.
type Playback interface {
	// Control executes a viewer's command; it returns when that is done.
	Control(ctx context.Context, c PlaybackCommand) error
	// State returns the current state.
	State() PlaybackState
}

// PlaybackCommand is a viewer's command for a recording.
type PlaybackCommand struct {
	// Play starts playing, else it pauses.
	Play bool
	// Speed is in recorded seconds per second.
	Speed float64
	// Seek is the time to seek to; the zero time is none.
	Seek time.Time
}

// PlaybackState is the state of a recording.
type PlaybackState struct {
	// Start and End bound the time that can be sought, Now is the current time.
	Start, End, Now time.Time
	Paused, Ended   bool
	Speed           float64
}

// Status values of a playback state.
const (
	playing = 0
	paused  = 1
	ended   = 3
)

// playbackPoll is how often the state is checked for changes by others; playbackInterval is the maximum interval
// between updates to clients while it plays.
const (
	playbackPoll     = 200 * time.Millisecond
	playbackInterval = 2 * time.Second
)

// ErrNoPlayback is matched when a client sends a playback command and no recording is played.
var ErrNoPlayback = errors.New("foxglove: no recording is played")

// playbackRequest is a command with the client's id of it.
type playbackRequest struct {
	PlaybackCommand
	id string
}

// maxRequestID bounds the id of a request, in bytes.
const maxRequestID = 256

// parsePlayback reads the body of a playback control message.
func parsePlayback(body []byte) (*playbackRequest, error) {
	const head = 1 + 4 + 1 + 8 + 4
	if len(body) < head {
		return nil, fmt.Errorf("%w: playback control of %d bytes", ErrMessage, len(body)+1)
	}
	speed := float64(math.Float32frombits(binary.LittleEndian.Uint32(body[1:])))
	seek := binary.LittleEndian.Uint64(body[6:])
	n := binary.LittleEndian.Uint32(body[14:])
	switch {
	case body[0] > 1:
		return nil, fmt.Errorf("%w: playback command %d", ErrMessage, body[0])
	case !(speed > 0) || math.IsInf(speed, 0):
		return nil, fmt.Errorf("%w: playback speed %g", ErrMessage, speed)
	case body[5] > 0 && seek > math.MaxInt64:
		return nil, fmt.Errorf("%w: playback time %d", ErrMessage, seek)
	case n > maxRequestID || int(n) != len(body)-head:
		return nil, fmt.Errorf("%w: playback control with a name of %d bytes", ErrMessage, n)
	}
	r := &playbackRequest{PlaybackCommand{Play: body[0] == 0, Speed: speed}, string(body[head:])}
	if body[5] > 0 {
		r.Seek = time.Unix(0, int64(seek))
	}
	return r, nil
}

// playbackFrame encodes a state; id is the client's id of the request that it answers.
func playbackFrame(s *PlaybackState, sought bool, id string) []byte {
	status := byte(playing)
	switch {
	case s.Ended:
		status = ended
	case s.Paused:
		status = paused
	}
	frame := append(make([]byte, 0, 23+len(id)), opPlaybackState, status)
	frame = binary.LittleEndian.AppendUint64(frame, uint64(s.Now.UnixNano()))
	frame = binary.LittleEndian.AppendUint32(frame, math.Float32bits(float32(s.Speed)))
	if sought {
		frame = append(frame, 1)
	} else {
		frame = append(frame, 0)
	}
	frame = binary.LittleEndian.AppendUint32(frame, uint32(len(id)))
	return append(frame, id...)
}

// jsonTime is a time as in serverInfo.
func jsonTime(t time.Time) map[string]int64 {
	return map[string]int64{"sec": t.Unix(), "nsec": int64(t.Nanosecond())}
}
