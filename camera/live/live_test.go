// SPDX-License-Identifier: Apache-2.0

//go:build system && !nolive

package live_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/pion/rtcp"
	"github.com/pion/rtp/codecs"
	"github.com/pion/webrtc/v4"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/live"
	"github.com/epuck-ros2/epuck-driver/camera/yuv"
)

func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !ok(); runtime.Gosched() {
		if time.Now().After(end) {
			t.Fatalf("not so after a minute: %s", what)
		}
	}
}

// TestVideoReachesTheViewer: the encoder's bytes come to the viewer as H.264 in RTP, under the number that was agreed
// on; the viewer may ask for a key picture; when it leaves, camera and encoder are closed and the next one is served.
func TestVideoReachesTheViewer(t *testing.T) {
	e, m := &eye{}, &machine{}
	s, ctx, _ := serve(t, e, m, nil)
	for round := range 2 {
		v := newViewer(t, webrtc.MimeTypeH264)
		answer, err := s.Answer(ctx, v.offer())
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(answer, "a=candidate") {
			t.Errorf("no address in the answer:\n%s", answer)
		}
		other := newViewer(t, webrtc.MimeTypeH264)
		if _, err := s.Answer(ctx, other.offer()); !errors.Is(err, live.ErrBusy) {
			t.Errorf("round %d: a second viewer: %v", round, err)
		}
		track := v.watch(answer)
		if track.PayloadType() != payloadType || track.Codec().MimeType != webrtc.MimeTypeH264 {
			t.Errorf("round %d: payload type %d, %s", round, track.PayloadType(), track.Codec().MimeType)
		}
		if got := firstUnit(t, track); !bytes.Contains(got, picture[len(picture)-4:]) {
			t.Errorf("round %d: the picture came as %x", round, got)
		}
		before := keys(m)
		if err := v.peer.WriteRTCP([]rtcp.Packet{&rtcp.PictureLossIndication{MediaSSRC: uint32(track.SSRC())}}); err != nil {
			t.Fatal(err)
		}
		eventually(t, "the viewer's request for a key frame reaches the encoder", func() bool { return keys(m) > before })
		v.close()
		eventually(t, "all is closed behind the viewer", func() bool { return e.opened() == 0 && m.opened() == 0 })
		eventually(t, "the camera is free for the next", func() bool {
			_, err := s.Answer(ctx, "v=0")
			return !errors.Is(err, live.ErrBusy)
		})
		eventually(t, "the broken offer is over", func() bool { return e.opened() == 0 })
	}
}

func keys(m *machine) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.keys
}

// firstUnit reads packets until there is a whole key picture.
func firstUnit(t testing.TB, track *webrtc.TrackRemote) (unit []byte) {
	t.Helper()
	_ = track.SetReadDeadline(time.Now().Add(time.Minute))
	depacketizer := &codecs.H264Packet{}
	for {
		p, _, err := track.ReadRTP()
		if err != nil {
			t.Fatal(err)
		}
		b, err := depacketizer.Unmarshal(p.Payload)
		if err != nil {
			t.Fatal(err)
		}
		if unit = append(unit, b...); p.Marker { // the end of an access unit (RFC 6184, 5.1)
			return unit
		}
	}
}

// TestEncoderIsMadeForTheCamera: in the mode that was asked for, or the one that a shared camera is in already.
func TestEncoderIsMadeForTheCamera(t *testing.T) {
	small := camera.Mode{Width: 16, Height: 16, Format: camera.YUYV, FrameRate: 3}
	for name, c := range map[string]struct {
		own    *camera.Mode
		change func(c *live.Config)
		asked  camera.Mode
		width  int
	}{
		"default":   {nil, func(c *live.Config) { c.Mode = camera.Mode{} }, camera.Mode{Width: 640, Height: 480, Format: camera.YUYV, FrameRate: 15}, 640},
		"requested": {nil, func(c *live.Config) { c.Mode = small }, small, 16},
		"shared":    {&camera.Mode{Width: 160, Height: 120}, func(c *live.Config) { c.Mode = small }, small, 160},
	} {
		e, m := &eye{own: c.own}, &machine{}
		s, ctx, _ := serve(t, e, m, c.change)
		if _, err := s.Answer(ctx, newViewer(t, webrtc.MimeTypeH264).offer()); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(e.wanted) != 1 || e.wanted[0] != c.asked {
			t.Errorf("%s: the camera was asked for %+v, want %+v", name, e.wanted, c.asked)
		}
		m.mu.Lock()
		got := m.configs[0]
		m.mu.Unlock()
		if got.Width != c.width || got.Stride != 2*c.width || got.Format != camera.YUYV || got.Range != yuv.Full {
			t.Errorf("%s: encoder of %+v", name, got)
		}
	}
}

// TestAnswersThatFail: each error is of its kind, nothing stays open, and the next viewer is not turned away as if the
// camera were taken.
func TestAnswersThatFail(t *testing.T) {
	noGPU := errors.New("no such device")
	for name, c := range map[string]struct {
		eye     *eye
		machine *machine
		offer   func(t testing.TB) string
		want    error
		text    string
	}{
		"no camera":        {&eye{fail: camera.ErrNoDevice}, &machine{}, nil, camera.ErrNoDevice, ""},
		"no encoder":       {&eye{}, &machine{fail: noGPU}, nil, noGPU, "no H.264 encoder"},
		"no SDP":           {&eye{}, &machine{}, func(testing.TB) string { return "hello" }, live.ErrOffer, ""},
		"an empty offer":   {&eye{}, &machine{}, func(testing.TB) string { return "" }, live.ErrOffer, ""},
		"without security": {&eye{}, &machine{}, func(testing.TB) string { return "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n" }, live.ErrOffer, ""},
		"half an offer": {&eye{}, &machine{}, func(t testing.TB) string {
			offer := newViewer(t, webrtc.MimeTypeH264).offer()
			return offer[:strings.Index(offer, "a=fingerprint")+40]
		}, live.ErrOffer, ""},
	} {
		s, ctx, _ := serve(t, c.eye, c.machine, nil)
		for try := range 2 {
			offer := "v=0"
			if c.offer != nil {
				offer = c.offer(t)
			}
			var err error
			eventually(t, "the camera is free", func() bool { // of the try before
				_, err = s.Answer(ctx, offer)
				return !errors.Is(err, live.ErrBusy)
			})
			if !errors.Is(err, c.want) || !strings.Contains(fmt.Sprint(err), c.text) {
				t.Errorf("%s, try %d: %v, want %v with %q", name, try, err, c.want, c.text)
			}
		}
		eventually(t, name+": all is closed", func() bool { return c.eye.opened() == 0 && c.machine.opened() == 0 })
	}
}

// TestViewerWithoutH264: a browser that does not know the codec gets no video that it can't show, and the camera is
// given back.
func TestViewerWithoutH264(t *testing.T) {
	e, m := &eye{}, &machine{}
	s, ctx, _ := serve(t, e, m, nil)
	answer, err := s.Answer(ctx, newViewer(t, webrtc.MimeTypeVP8).offer())
	if err == nil && strings.Contains(answer, "H264/90000") {
		t.Errorf("the answer promises what was not offered:\n%s", answer)
	}
}

// TestVideoThatNeverConnects: a viewer that takes the answer and never connects, because a wall is between the two, is
// left behind when its context ends; the camera is free for the next one.
func TestVideoThatNeverConnects(t *testing.T) {
	e, m := &eye{}, &machine{}
	s, _, _ := serve(t, e, m, nil)
	for range 3 {
		ctx, cancel := context.WithCancel(context.Background())
		if _, err := s.Answer(ctx, newViewer(t, webrtc.MimeTypeH264).offer()); err != nil {
			t.Fatal(err)
		}
		cancel()
		eventually(t, "all is closed", func() bool { return e.opened() == 0 && m.opened() == 0 })
		eventually(t, "the camera is free", func() bool {
			_, err := s.Answer(ctx, "v=0")
			return !errors.Is(err, live.ErrBusy)
		})
	}
}

// TestEndOfContext: the video ends with the context of its answer, whether the viewer has connected or not.
func TestEndOfContext(t *testing.T) {
	e, m := &eye{}, &machine{}
	s, ctx, cancel := serve(t, e, m, nil)
	v := newViewer(t, webrtc.MimeTypeH264)
	answer, err := s.Answer(ctx, v.offer())
	if err != nil {
		t.Fatal(err)
	}
	v.watch(answer)
	cancel()
	eventually(t, "all is closed", func() bool { return e.opened() == 0 && m.opened() == 0 })
	over, stop := context.WithCancel(context.Background())
	stop()
	eventually(t, "an answer with a context that has ended opens nothing for long", func() bool {
		_, err := s.Answer(over, newViewer(t, webrtc.MimeTypeH264).offer())
		return err == nil || errors.Is(err, context.Canceled)
	})
	eventually(t, "all is closed again", func() bool { return e.opened() == 0 && m.opened() == 0 })
}

// TestClose: it waits for the video, comes back at once without one, and what comes later is refused.
func TestClose(t *testing.T) {
	e, m := &eye{}, &machine{}
	s, ctx, cancel := serve(t, e, m, nil)
	if _, err := s.Answer(ctx, newViewer(t, webrtc.MimeTypeH264).offer()); err != nil {
		t.Fatal(err)
	}
	cancel()
	s.Close()
	if e.opened() != 0 || m.opened() != 0 {
		t.Error("Close did not wait")
	}
	if _, err := s.Answer(context.Background(), newViewer(t, webrtc.MimeTypeH264).offer()); !errors.Is(err, live.ErrBusy) {
		t.Errorf("an offer after Close: %v", err)
	}
	if len(e.wanted) != 1 {
		t.Error("the camera was opened after Close")
	}
	s.Close()
}
