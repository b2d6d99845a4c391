// SPDX-License-Identifier: Apache-2.0

package camera

import "context"

// Device is a camera that can be opened on demand. Its methods are safe for concurrent use; opening it twice at once
// may be refused.
type Device interface {
	// Name tells the user which camera this is, for example "/dev/video0 (Pi-puck Camera Interface)".
	Name() string
	// Modes lists what the camera can do, without opening it for others to notice. It fails with an error that matches
	// [ErrNoDevice] while the camera is not there. A mode whose FrameRate is 0 has any.
	Modes(ctx context.Context) ([]Mode, error)
	// Open starts the camera in the mode, which is one of Modes but for the frame rate: the nearest one there is, is
	// taken, and frames beyond it are the caller's to drop. Errors match [ErrNoDevice], [ErrMode] (a [ModeError]) or
	// [ErrNotBuiltIn]. ctx ends the opening, not the source.
	Open(ctx context.Context, want Mode) (Source, error)
}

// Source is an opened camera, in the shape of mediadevices' video.Reader.
type Source interface {
	// Read waits for the next frame. The frame's data stays valid until release is called, once, from any goroutine; a
	// source has memory for at least four frames not yet released, and forgets the oldest unread one when all are
	// taken. Errors: [ErrFrame]: this frame is damaged, the next Read may be good; [ErrUnplugged]: the camera is
	// gone; [ErrTimeout]: it sends nothing; [ErrClosed] after Close. After all but ErrFrame the source is to be closed.
	// One goroutine calls Read.
	Read() (f Frame, release func(), err error)
	// Close stops the camera and returns its memory; a waiting Read returns [ErrClosed]. Frames not yet released
	// stay readable until they are. Close may be called from any goroutine, and more than once.
	Close() error
}
