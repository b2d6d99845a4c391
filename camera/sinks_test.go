// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"bytes"
	"context"
	"image/jpeg"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// album keeps what a sink was given.
type album struct {
	mu     sync.Mutex
	images []Image
	times  []time.Time
}

// add is a sink's function.
func (a *album) add(im *Image) {
	a.mu.Lock()
	defer a.mu.Unlock()
	kept := *im
	kept.Data = slices.Clone(im.Data)
	a.images, a.times = append(a.images, kept), append(a.times, time.Now())
}

func (a *album) all() []Image {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.images)
}

func (a *album) last(t *testing.T) Image {
	t.Helper()
	all := a.all()
	if len(all) == 0 {
		t.Fatal("no picture")
	}
	return all[len(all)-1]
}

// logs keeps log lines.
type logs struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logs) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logs) count(part string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.b.String(), part)
}

func (l *logs) logger() *slog.Logger { return slog.New(slog.NewTextHandler(l, nil)) }

func newPipeline(t *testing.T, cfg Config) *Pipeline {
	t.Helper()
	if cfg.Settings.Width == 0 {
		cfg.Settings.Width, cfg.Settings.Height = small.Width, small.Height
	}
	p, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func attach(t *testing.T, p *Pipeline, want Output) (*album, *Sink) {
	t.Helper()
	a := new(album)
	s, err := p.Attach(want, a.add)
	if err != nil {
		t.Fatal(err)
	}
	return a, s
}

func set(t *testing.T, p *Pipeline, s Settings) {
	t.Helper()
	if err := p.Set(context.Background(), s); err != nil {
		t.Fatal(err)
	}
}

// jpegSize returns the size of a JPEG file that the standard library can read.
func jpegSize(t *testing.T, file []byte) (w, h int) {
	t.Helper()
	im, err := jpeg.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return im.Bounds().Dx(), im.Bounds().Dy()
}
