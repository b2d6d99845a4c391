// SPDX-License-Identifier: Apache-2.0

//go:build !nolive

package live

import (
	"github.com/pion/mediadevices"
	"github.com/pion/rtp"
	"github.com/pion/webrtc/v4"
)

// renumbered is a track whose packets carry the payload type that the two sides have agreed on: mediadevices writes
// that of its own table, which browsers give to other codecs.
type renumbered struct{ mediadevices.Track }

// Bind implements webrtc.TrackLocal. What it needs of ctx it asks for here: mediadevices asks on a goroutine of its
// own, while webrtc goes on to change the context.
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
// already, for ever if the viewer never connected (TestVideoThatNeverConnects). It ends by itself: its packets are
// refused from now on, and its camera is closed.
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
