// SPDX-License-Identifier: Apache-2.0

//go:build !nolive

package live

import (
	"github.com/pion/mediadevices"
	"github.com/pion/rtp"
	"github.com/pion/webrtc/v4"
)

// renumbered is a track whose packets have the negotiated payload type: mediadevices writes that of its own table,
// which browsers assign to other codecs.
type renumbered struct{ mediadevices.Track }

// Bind implements webrtc.TrackLocal. It reads what it needs of ctx at once: mediadevices reads it on another goroutine,
// while webrtc changes the context.
func (t renumbered) Bind(ctx webrtc.TrackLocalContext) (webrtc.RTPCodecParameters, error) {
	writer := ctx.WriteStream()
	for _, c := range ctx.CodecParameters() {
		if c.MimeType == webrtc.MimeTypeH264 {
			writer = numberedWriter{writer, uint8(c.PayloadType)}
			break
		}
	}
	return t.Track.Bind(agreed{ctx, writer})
}

// Unbind implements webrtc.TrackLocal. That of mediadevices (v0.9.4) waits for a goroutine which may have ended
// already, without end if the viewer never connected (TestVideoThatNeverConnects). The goroutine ends by itself: its
// packets are rejected from now on, and its camera is closed.
func (renumbered) Unbind(webrtc.TrackLocalContext) error { return nil }

// agreed is the context of a track, with a writer that renumbers.
type agreed struct {
	webrtc.TrackLocalContext
	writer webrtc.TrackLocalWriter
}

// WriteStream implements webrtc.TrackLocalContext.
func (a agreed) WriteStream() webrtc.TrackLocalWriter { return a.writer }

type numberedWriter struct {
	webrtc.TrackLocalWriter
	payloadType uint8
}

// WriteRTP implements webrtc.TrackLocalWriter.
func (w numberedWriter) WriteRTP(h *rtp.Header, payload []byte) (int, error) {
	h.PayloadType = w.payloadType
	return w.TrackLocalWriter.WriteRTP(h, payload)
}
