// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"log/slog"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera/yuv"
)

// Config is the configuration of a Pipeline.
type Config struct {
	// Device is the camera. It is required.
	Device Device
	// Settings at the start; they can be changed with [Pipeline.Set].
	Settings Settings
	// GPU opens the GPU's JPEG encoder for the described frames, which may be an [AsyncEncoder]. It defaults to none.
	GPU func(EncoderConfig) (Encoder, error)
	// ISP opens the GPU's converter. It defaults to none: the CPU converts and scales.
	ISP func(ConverterConfig) (Converter, error)
	// Range overrides the range of the camera's YUV values in its frames. Unspecified (the default) uses that of the
	// frames, and full range if they have none.
	Range yuv.Range
	// Clock is used for waiting between attempts to open the camera, and for the times in Status. It defaults to the
	// system's.
	Clock Clock
	// Logger logs when the camera is opened, closed, lost and found, and each choice of encoder with its reason. It
	// defaults to none.
	Logger *slog.Logger
	// RetryMin and RetryMax are the first and the longest wait before the camera is reopened after a failure; the wait
	// doubles each time. They default to 0.25 s and 5 s.
	RetryMin, RetryMax time.Duration
}

// Clock is the pipeline's clock. Implementations are safe for concurrent use.
type Clock interface {
	// Now returns the present time.
	Now() time.Time
	// NewTimer returns a timer that fires once d has passed.
	NewTimer(d time.Duration) Timer
}

// Timer fires once. It is stopped when it is no longer needed.
type Timer interface {
	// C returns the channel on which the time is sent.
	C() <-chan time.Time
	// Stop reports whether the timer was running.
	Stop() bool
}

type systemClock struct{}

func (systemClock) Now() time.Time                 { return time.Now() }
func (systemClock) NewTimer(d time.Duration) Timer { return systemTimer{time.NewTimer(d)} }

type systemTimer struct{ *time.Timer }

func (t systemTimer) C() <-chan time.Time { return t.Timer.C }
