// SPDX-License-Identifier: Apache-2.0

package camera

import "fmt"

// Sink is one receiver of pictures, attached with [Pipeline.Attach]. Its methods are safe for concurrent use and may be
// called by its own function.
type Sink struct {
	p       *Pipeline
	want    Output
	deliver func(*Image)
}

// Check says what is wrong with the output in itself, with an error that matches [ErrSetting].
func (o Output) Check() error {
	switch o.Encoding {
	case RGB8, BGR8, Mono8, YUV422YUY2, Compressed, StampOnly:
	default:
		return fmt.Errorf("%w: encoding %q; there is: rgb8, bgr8, mono8, yuv422_yuy2, jpeg, stamp", ErrSetting, string(o.Encoding))
	}
	if o.Width != 0 || o.Height != 0 {
		if err := checkSize(o.Width, o.Height); err != nil {
			return err
		}
	}
	if o.Quality != 0 {
		return checkQuality(o.Quality)
	}
	return nil
}

// Set changes what the sink wants, from the next picture on. The error matches [ErrSetting] or [ErrClosed]; then nothing
// changes. A size larger than the camera's pictures gets them as large as the camera gives them.
func (s *Sink) Set(want Output) error {
	if err := want.Check(); err != nil {
		return err
	}
	s.p.mu.Lock()
	defer s.p.mu.Unlock()
	s.want = want
	return nil
}

// Close detaches the sink and closes the camera if it was the last. It does not wait: a picture being delivered right now
// may still be on its way when Close returns, but no other follows. It may be called more than once.
func (s *Sink) Close() error {
	s.p.mu.Lock()
	defer s.p.mu.Unlock()
	for i, other := range s.p.sinks {
		if other == s {
			s.p.sinks = append(s.p.sinks[:i:i], s.p.sinks[i+1:]...)
		}
	}
	return nil
}
