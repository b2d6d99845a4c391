// SPDX-License-Identifier: Apache-2.0

//go:build nolive

package live_test

import (
	"errors"
	"testing"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/live"
)

// device is a camera that is never opened.
type device struct{ camera.Device }

// TestServerWithoutLiveVideo: it refuses offers, and configurations as the real one does.
func TestServerWithoutLiveVideo(t *testing.T) {
	if _, err := live.New(live.Config{}); !errors.Is(err, live.ErrConfig) {
		t.Error(err)
	}
	s, err := live.New(live.Config{Device: device{}, Encoder: func(camera.EncoderConfig) (live.Encoder, error) { return nil, nil }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Answer(t.Context(), "v=0"); !errors.Is(err, live.ErrOffer) {
		t.Error(err)
	}
}
