// SPDX-License-Identifier: Apache-2.0

package camera

import "time"

// Status is the state of a Pipeline for diagnostics. Counters start at 0 with the pipeline and only grow.
type Status struct {
	Device string // name of the device
	Open   bool   // frames are, or will soon be, received
	Wanted bool   // at least one sink is attached
	Mode   Mode   // current mode; zero before the camera is first opened

	Encoder         string // name of the JPEG encoder; empty while there is no JPEG output
	EncoderReason   string // reason, for example "encoder is auto and the GPU has none: …"
	Converter       string // name of the converter of raw images; empty while there are none
	ConverterReason string // reason

	Frames    uint64  // read from the camera
	Lost      uint64  // missing in the camera's sequence: dropped by it or by the bus
	Damaged   uint64  // frames that could not be used
	LeftOut   uint64  // dropped to reach the frame rate
	Skipped   uint64  // replaced by a newer one before conversion
	Pictures  uint64  // converted or encoded, all kinds together
	Unmade    uint64  // pictures that could not be made, or that the busy encoder rejected
	Opened    uint64  // number of times the camera was opened
	Failures  uint64  // number of times it could not be opened, or was lost
	FrameRate float64 // of the used frames, measured over about a second, frames/s; 0 while closed

	// last time from the first sink's attachment, or the loss of the camera, to the first picture
	FirstImage time.Duration
	LastFrame  time.Time // stamp of the latest frame
	LastError  error     // latest failure; nil after the next picture
	ErrorTime  time.Time // time of LastError

	Sinks []SinkStatus // in the order of attachment
}

// SinkStatus is the state of one sink.
type SinkStatus struct {
	Output    Output
	Delivered uint64 // delivered pictures
	Dropped   uint64 // pictures dropped because the sink was too slow
}
