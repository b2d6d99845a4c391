// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"errors"
	"fmt"
	"time"
)

// What happens is noted here, for Status and the log.

func (p *Pipeline) noteOpen(mode Mode) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status.Open, p.status.Mode = true, mode
	p.status.Opened++
	p.cfg.Logger.Info("camera open", "device", p.cfg.Device.Name(), "mode", mode.String())
}

// noteClosed is told why: nil if the camera is not wanted any more, or in another mode.
func (p *Pipeline) noteClosed(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status.Open, p.status.FrameRate = false, 0
	p.window = window{}
	if err == nil {
		p.cfg.Logger.Info("camera closed", "device", p.cfg.Device.Name())
	}
}

// noteFailure logs a failure if it is another one than the last.
func (p *Pipeline) noteFailure(err error, wait time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status.Failures++
	p.setError(err)
	if p.since.IsZero() {
		p.since = p.status.ErrorTime
	}
	if text := err.Error(); text != p.logged {
		p.logged = text
		p.cfg.Logger.Warn("camera fails, will be tried again", "device", p.cfg.Device.Name(), "error", err, "wait", wait)
	}
}

// setError keeps the latest error. p.mu is held.
func (p *Pipeline) setError(err error) {
	p.status.LastError, p.status.ErrorTime = err, p.cfg.Clock.Now()
}

func (p *Pipeline) noteDamaged(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status.Damaged++
	p.setError(err)
}

func (p *Pipeline) noteSkipped() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status.Skipped++
}

// window counts frames to measure their rate.
type window struct {
	start  time.Time // stamp of the first frame
	frames int       // after it
}

// rateTime is how long a frame rate is measured.
const rateTime = time.Second

func (p *Pipeline) noteFrame(f *Frame, lost uint32, used bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status.Frames++
	p.status.Lost += uint64(lost)
	p.status.LastFrame = f.Stamp
	if !used {
		p.status.LeftOut++
		return
	}
	w := &p.window
	if w.start.IsZero() || f.Stamp.Before(w.start) {
		*w = window{start: f.Stamp}
		return
	}
	w.frames++
	if d := f.Stamp.Sub(w.start); d >= rateTime {
		p.status.FrameRate = float64(w.frames) / d.Seconds()
		*w = window{start: f.Stamp}
	}
}

// notePicture counts a picture of the group; it ends a failure. p.mu is held.
func (p *Pipeline) notePicture(g *group) {
	p.status.Pictures++
	p.status.LastError, g.err = nil, nil
	if p.since.IsZero() {
		return
	}
	p.status.FirstImage = p.cfg.Clock.Now().Sub(p.since)
	p.since = time.Time{}
	if p.logged != "" {
		p.cfg.Logger.Info("camera is back", "device", p.cfg.Device.Name(), "after", p.status.FirstImage)
		p.logged = ""
	}
}

// noteEncoder keeps what makes JPEG and why, and logs it if that is new. Makers call it when theirs changes.
func (p *Pipeline) noteEncoder(name string, why string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.status.Encoder != name || p.status.EncoderReason != why {
		p.status.Encoder, p.status.EncoderReason = name, why
		p.cfg.Logger.Info("camera: JPEG encoder", "encoder", name, "reason", why)
	}
}

// noteConverter keeps what makes raw images and why, and logs it if that is new.
func (p *Pipeline) noteConverter(name string, why string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.status.Converter != name || p.status.ConverterReason != why {
		p.status.Converter, p.status.ConverterReason = name, why
		p.cfg.Logger.Info("camera: converter", "converter", name, "reason", why)
	}
}

// noteLoss counts a picture of the group that could not be made. That an encoder is busy is in the count, not in the log.
func (p *Pipeline) noteLoss(g *group, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status.Unmade++
	g.err, p.status.ErrorTime = err, p.cfg.Clock.Now()
	if errors.Is(err, ErrBusy) {
		return
	}
	if text := fmt.Sprintf("%s: %v", g.want.Encoding, err); text != p.lossLogged {
		p.lossLogged = text
		p.cfg.Logger.Warn("camera: picture lost", "encoding", string(g.want.Encoding), "error", err)
	}
}

// Status returns a snapshot.
func (p *Pipeline) Status() Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.status
	s.Device, s.Wanted = p.cfg.Device.Name(), len(p.sinks) > 0
	for _, g := range p.groups {
		if g.err != nil && s.LastError == nil {
			s.LastError = fmt.Errorf("%s: %w", g.want.Encoding, g.err)
		}
	}
	for _, sink := range p.sinks {
		s.Sinks = append(s.Sinks, SinkStatus{Output: p.resolve(sink.want), Delivered: sink.delivered, Dropped: sink.dropped})
	}
	return s
}
