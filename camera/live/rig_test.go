// SPDX-License-Identifier: Apache-2.0

//go:build system && !nolive

package live_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/pion/mediadevices/pkg/codec"
	"github.com/pion/webrtc/v4"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/live"
)

// eye is a camera whose pictures the test gives. It counts what is open.
type eye struct {
	fail error
	own  *camera.Mode // the mode it keeps, if it is shared

	mu     sync.Mutex
	wanted []camera.Mode
	open   int
}

func (e *eye) Name() string                                 { return "eye" }
func (e *eye) Modes(context.Context) ([]camera.Mode, error) { return nil, nil }

func (e *eye) Open(_ context.Context, want camera.Mode) (camera.Source, error) {
	if e.fail != nil {
		return nil, e.fail
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.wanted, e.open = append(e.wanted, want), e.open+1
	g := &glance{eye: e, mode: want, closed: make(chan struct{})}
	if e.own == nil {
		return g, nil
	}
	g.mode = *e.own
	return sharedGlance{g}, nil
}

func (e *eye) opened() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.open
}

// glance is the open camera: it has a picture every 5 ms.
type glance struct {
	eye    *eye
	mode   camera.Mode
	once   sync.Once
	closed chan struct{}
}

func (g *glance) Read() (camera.Frame, func(), error) {
	select {
	case <-g.closed:
		return camera.Frame{}, nil, camera.ErrClosed
	case <-time.After(5 * time.Millisecond):
	}
	w, h := g.mode.Width, g.mode.Height
	return camera.Frame{Format: camera.YUYV, Width: w, Height: h, Stride: 2 * w, Data: make([]byte, 2*w*h)}, func() {}, nil
}

func (g *glance) Close() error {
	g.once.Do(func() {
		close(g.closed)
		g.eye.mu.Lock()
		defer g.eye.mu.Unlock()
		g.eye.open--
	})
	return nil
}

// sharedGlance reports its mode, as package shared does.
type sharedGlance struct{ *glance }

func (g sharedGlance) Mode() camera.Mode { return g.mode }

// picture is an access unit as an H.264 encoder gives it (Annex B): SPS, PPS and a key picture. The contents are not
// looked at on the way.
var picture = []byte{0, 0, 0, 1, 0x67, 0x42, 0, 0x1f, 0, 0, 0, 1, 0x68, 1, 2, 0, 0, 0, 1, 0x65, 9, 8, 7}

// machine makes encoders and counts what is asked of them.
type machine struct {
	fail error

	mu      sync.Mutex
	configs []camera.EncoderConfig
	open    int
	keys    int
	bits    []int
}

func (m *machine) make(c camera.EncoderConfig) (live.Encoder, error) {
	if m.fail != nil {
		return nil, m.fail
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.configs, m.open = append(m.configs, c), m.open+1
	return &worker{machine: m}, nil
}

func (m *machine) opened() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.open
}

type worker struct {
	machine *machine
	once    sync.Once
}

func (w *worker) Encode(dst []byte, f *camera.Frame) ([]byte, error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	return append(dst, picture...), nil
}

func (w *worker) ForceKey() error {
	w.machine.mu.Lock()
	defer w.machine.mu.Unlock()
	w.machine.keys++
	return nil
}

func (w *worker) SetBitrate(bits int) error {
	w.machine.mu.Lock()
	defer w.machine.mu.Unlock()
	w.machine.bits = append(w.machine.bits, bits)
	return nil
}

func (w *worker) Close() error {
	w.once.Do(func() {
		w.machine.mu.Lock()
		defer w.machine.mu.Unlock()
		w.machine.open--
	})
	return nil
}

// viewer is a browser: a WebRTC connection that wants video.
type viewer struct {
	t      testing.TB
	peer   *webrtc.PeerConnection
	tracks chan *webrtc.TrackRemote
}

// payloadType is what the viewer gives H.264: mediadevices' own table says 125, as many browsers do not.
const payloadType = 107

func newViewer(t testing.TB, mimes ...string) *viewer {
	t.Helper()
	media := &webrtc.MediaEngine{}
	for _, mime := range mimes {
		c := webrtc.RTPCodecCapability{MimeType: mime, ClockRate: 90_000, RTCPFeedback: []webrtc.RTCPFeedback{{Type: "nack", Parameter: "pli"}}}
		if mime == webrtc.MimeTypeH264 {
			c.SDPFmtpLine = codec.NewRTPH264Codec(90_000).SDPFmtpLine
		}
		if err := media.RegisterCodec(webrtc.RTPCodecParameters{RTPCodecCapability: c, PayloadType: payloadType}, webrtc.RTPCodecTypeVideo); err != nil {
			t.Fatal(err)
		}
	}
	settings := webrtc.SettingEngine{}
	settings.SetIncludeLoopbackCandidate(true)
	settings.SetNetworkTypes([]webrtc.NetworkType{webrtc.NetworkTypeUDP4})
	peer, err := webrtc.NewAPI(webrtc.WithMediaEngine(media), webrtc.WithSettingEngine(settings)).NewPeerConnection(webrtc.Configuration{})
	if err != nil {
		t.Fatal(err)
	}
	v := &viewer{t: t, peer: peer, tracks: make(chan *webrtc.TrackRemote, 1)}
	peer.OnTrack(func(track *webrtc.TrackRemote, _ *webrtc.RTPReceiver) { v.tracks <- track })
	t.Cleanup(v.close)
	return v
}

func (v *viewer) close() { _ = v.peer.Close() } // twice is fine

// offer is what the viewer wants, with all its addresses.
func (v *viewer) offer() string {
	v.t.Helper()
	if _, err := v.peer.AddTransceiverFromKind(webrtc.RTPCodecTypeVideo, webrtc.RTPTransceiverInit{Direction: webrtc.RTPTransceiverDirectionRecvonly}); err != nil {
		v.t.Fatal(err)
	}
	offer, err := v.peer.CreateOffer(nil)
	if err != nil {
		v.t.Fatal(err)
	}
	gathered := webrtc.GatheringCompletePromise(v.peer)
	if err := v.peer.SetLocalDescription(offer); err != nil {
		v.t.Fatal(err)
	}
	<-gathered
	return v.peer.LocalDescription().SDP
}

// watch takes the answer and waits for the track.
func (v *viewer) watch(answer string) *webrtc.TrackRemote {
	v.t.Helper()
	if err := v.peer.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeAnswer, SDP: answer}); err != nil {
		v.t.Fatal(err)
	}
	select {
	case track := <-v.tracks:
		return track
	case <-time.After(time.Minute):
		v.t.Fatal("no video received")
		return nil
	}
}

// serve makes a server, and waits at the end until all is closed.
func serve(t testing.TB, e *eye, m *machine, change func(c *live.Config)) (*live.Server, context.Context, context.CancelFunc) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	cfg := live.Config{Device: e, Encoder: m.make, Mode: camera.Mode{Width: 32, Height: 16, Format: camera.YUYV, FrameRate: 5}}
	if change != nil {
		change(&cfg)
	}
	s, err := live.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		s.Close()
		if e.opened() != 0 || m.opened() != 0 {
			t.Errorf("%d cameras and %d encoders are open at the end", e.opened(), m.opened())
		}
	})
	return s, ctx, cancel
}
