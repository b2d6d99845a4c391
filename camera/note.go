// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"errors"
	"fmt"
	"time"
)

// The methods note… record events for Status and, without p.mu, in the log.

func (p *Pipeline) noteOpen(mode Mode) {
	p.mu.Lock()
	p.status.Open, p.status.Mode = true, mode
	p.status.Opened++
	p.mu.Unlock()
	p.cfg.Logger.Info("camera open", "device", p.cfg.Device.Name(), "mode", mode.String())
}

// noteClosed records a closed camera; err is nil if it is no longer needed, or needed in another mode.
func (p *Pipeline) noteClosed(err error) {
	p.mu.Lock()
	p.status.Open, p.status.FrameRate = false, 0
	p.window = window{}
	p.mu.Unlock()
	if err == nil {
		p.cfg.Logger.Info("camera closed", "device", p.cfg.Device.Name())
	}
}

// noteFailure records a failure and logs it if it differs from the last one.
func (p *Pipeline) noteFailure(err error, wait time.Duration) {
	text := err.Error()
	p.mu.Lock()
	p.status.Failures++
	p.setError(err)
	if p.since.IsZero() {
		p.since = p.status.ErrorTime
	}
	isNew := text != p.logged
	p.logged = text
	p.mu.Unlock()
	if isNew {
		p.cfg.Logger.Warn("camera failed, retrying", "device", p.cfg.Device.Name(), "error", err, "wait", wait)
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

// rateTime is the interval over which the frame rate is measured.
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

// notePicture counts a picture of the group and ends a failure; it reports whether that failure was logged. p.mu is
// held.
func (p *Pipeline) notePicture(g *group) (back bool) {
	p.status.Pictures++
	p.status.LastError, g.err = nil, nil
	if p.since.IsZero() {
		return false
	}
	p.status.FirstImage = p.cfg.Clock.Now().Sub(p.since)
	p.since = time.Time{}
	back = p.logged != ""
	p.logged = ""
	return back
}

// noteEncoder records the JPEG encoder and the reason, and logs a change.
func (p *Pipeline) noteEncoder(name, why string) {
	if p.keep(&p.status.Encoder, name, &p.status.EncoderReason, why) {
		p.cfg.Logger.Info("camera: JPEG encoder", "encoder", name, "reason", why)
	}
}

// noteConverter records the converter of raw images and the reason, and logs a change.
func (p *Pipeline) noteConverter(name, why string) {
	if p.keep(&p.status.Converter, name, &p.status.ConverterReason, why) {
		p.cfg.Logger.Info("camera: converter", "converter", name, "reason", why)
	}
}

// keep sets two fields of status and reports whether one changed.
func (p *Pipeline) keep(name *string, toName string, why *string, toWhy string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	changed := *name != toName || *why != toWhy
	*name, *why = toName, toWhy
	return changed
}

// noteLoss counts a picture of the group that could not be made. A busy encoder is counted, not logged.
func (p *Pipeline) noteLoss(g *group, err error) {
	p.mu.Lock()
	p.status.Unmade++
	g.err, p.status.ErrorTime = err, p.cfg.Clock.Now()
	encoding, isNew := string(g.want.Encoding), false
	if !errors.Is(err, ErrBusy) {
		text := encoding + err.Error()
		isNew = text != p.lossLogged
		p.lossLogged = text
	}
	p.mu.Unlock()
	if isNew {
		p.cfg.Logger.Warn("camera: picture lost", "encoding", encoding, "error", err)
	}
}

// Status returns a snapshot.
func (p *Pipeline) Status() Status {
	name := p.cfg.Device.Name()
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.status
	s.Device, s.Wanted = name, len(p.sinks) > 0
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
