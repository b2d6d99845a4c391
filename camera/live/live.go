// SPDX-License-Identifier: Apache-2.0

//go:build !nolive

package live

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"github.com/pion/mediadevices"
	"github.com/pion/webrtc/v4"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/mediadev"
	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// Server answers offers, one viewer at a time. It is safe for concurrent use; Close waits for the end of the last
// viewer's video, which ends with its context.
type Server struct {
	cfg Config
	api *webrtc.API

	group task.Group

	mu   sync.Mutex
	busy bool
	over bool // Close was called
}

// New returns a server without opening the camera.
func New(cfg Config) (*Server, error) {
	cfg, err := cfg.complete()
	if err != nil {
		return nil, err
	}
	s := &Server{cfg: cfg}
	media := &webrtc.MediaEngine{}
	mediadevices.NewCodecSelector(mediadevices.WithVideoEncoders(&builder{})).Populate(media)
	settings := webrtc.SettingEngine{}
	settings.SetIncludeLoopbackCandidate(true) // a browser on this machine
	settings.SetNetworkTypes([]webrtc.NetworkType{webrtc.NetworkTypeUDP4})
	s.api = webrtc.NewAPI(webrtc.WithMediaEngine(media), webrtc.WithSettingEngine(settings))
	return s, nil
}

// Answer answers an offer (SDP) of a connection, which lasts until the viewer disconnects or ctx ends. It fails if
// another viewer uses the camera, if the offer is invalid, or if the camera or its encoder can't be opened.
func (s *Server) Answer(ctx context.Context, offer string) (answer string, err error) {
	if !s.begin() {
		return "", errBusy
	}
	ended := sync.OnceFunc(s.end)
	defer func() {
		if err != nil {
			ended()
		}
	}()
	track, encoders, err := s.film(ctx)
	if err != nil {
		return "", err
	}
	peer, err := s.api.NewPeerConnection(webrtc.Configuration{})
	if err != nil {
		return "", errors.Join(err, track.Close())
	}
	gone, negotiated := make(chan struct{}), make(chan struct{})
	finish := sync.OnceFunc(func() { close(gone) })
	track.OnEnded(func(error) { finish() }) // the camera was unplugged, or its mode changed
	peer.OnConnectionStateChange(func(state webrtc.PeerConnectionState) {
		if state == webrtc.PeerConnectionStateFailed || state == webrtc.PeerConnectionStateClosed || state == webrtc.PeerConnectionStateDisconnected {
			finish()
		}
	})
	s.group.Go("live video", func() {
		select {
		case <-ctx.Done():
		case <-gone:
		}
		<-negotiated // a connection that is closed during the negotiation would open new sockets and leak them
		if err := errors.Join(peer.Close(), track.Close()); err != nil {
			s.cfg.Logger.Warn("live video not closed properly", slog.Any("error", err))
		}
		encoders.finish()
		ended()
	})
	sdp, err := negotiate(ctx, peer, renumbered{track}, offer)
	close(negotiated)
	if err != nil {
		finish()
		return "", err
	}
	return sdp, nil
}

// film opens the camera as a track. It first checks for an encoder: otherwise the browser would wait for pictures.
func (s *Server) film(ctx context.Context) (mediadevices.Track, *builder, error) {
	source, err := s.cfg.Device.Open(ctx, s.cfg.Mode)
	if err != nil {
		return nil, nil, err
	}
	b := &builder{encoder: s.cfg.Encoder, mode: s.cfg.Mode}
	if shared, ok := source.(interface{ Mode() camera.Mode }); ok {
		b.mode = shared.Mode()
	}
	encoder, err := b.open()
	if err == nil {
		err = encoder.Close()
	}
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("no H.264 encoder: %w", err), source.Close())
	}
	selector := mediadevices.NewCodecSelector(mediadevices.WithVideoEncoders(b))
	return mediadevices.NewVideoTrack(&input{Reader: mediadev.Reader(source), source: source}, selector), b, nil
}

// Close waits for the current video; later offers are rejected.
func (s *Server) Close() {
	s.mu.Lock()
	s.over = true
	s.mu.Unlock()
	s.group.Wait()
}

// negotiate returns the answer, with all addresses of this machine.
func negotiate(ctx context.Context, peer *webrtc.PeerConnection, track webrtc.TrackLocal, offer string) (string, error) {
	if err := peer.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeOffer, SDP: offer}); err != nil {
		return "", fmt.Errorf("%w: %w", errOffer, err)
	}
	if _, err := peer.AddTrack(track); err != nil {
		return "", err
	}
	answer, err := peer.CreateAnswer(nil)
	if err != nil {
		return "", fmt.Errorf("%w: %w", errOffer, err)
	}
	gathered := webrtc.GatheringCompletePromise(peer)
	if err := peer.SetLocalDescription(answer); err != nil {
		return "", err
	}
	select {
	case <-gathered:
		return peer.LocalDescription().SDP, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func (s *Server) begin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.busy || s.over {
		return false
	}
	s.busy = true
	return true
}

func (s *Server) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy = false
}
