// SPDX-License-Identifier: Apache-2.0

package camera

import "time"

// Status is what a Pipeline can tell about itself, for diagnostics. Counters start at 0 with the pipeline and only
// grow.
type Status struct {
	Device string // its name
	Open   bool   // frames come (or are about to)
	Wanted bool   // at least one sink is attached
	Mode   Mode   // the camera runs in; zero before it is first open

	Encoder         string // what makes JPEG, by its name; empty while JPEG is not asked for
	EncoderReason   string // why this one, for example "encoder is auto and the GPU has none: …"
	Converter       string // what converts raw images; empty while none is asked for
	ConverterReason string // why this one

	Frames    uint64  // read from the camera
	Lost      uint64  // missing in the camera's count: it or the bus dropped them
	Damaged   uint64  // frames that could not be used
	LeftOut   uint64  // not wanted at this frame rate
	Skipped   uint64  // replaced by a newer one before there was time to convert them
	Pictures  uint64  // converted or encoded, each kind counted
	Unmade    uint64  // pictures that could not be made, or for which the encoder had no room
	Opened    uint64  // how often the camera was opened
	Failures  uint64  // how often it could not be opened, or was lost
	FrameRate float64 // of the frames used, measured over the last second or so, frames/s; 0 while closed

	// from the first sink's attachment (or the loss of the camera) to the first picture, last time
	FirstImage time.Duration
	LastFrame  time.Time // the stamp of the latest frame
	LastError  error     // the latest failure; nil once pictures come again
	ErrorTime  time.Time // when that was

	Sinks []SinkStatus // in the order of attachment
}

// SinkStatus is how one sink fares.
type SinkStatus struct {
	Output    Output
	Delivered uint64 // pictures handed to it
	Dropped   uint64 // pictures it was too slow for
}
