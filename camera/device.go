// SPDX-License-Identifier: Apache-2.0

package camera

import "context"

// Device is a camera that can be opened on demand. Its methods are safe for concurrent use; a second concurrent Open
// may be refused.
type Device interface {
	// Name returns the camera's name for the user, for example "/dev/video0 (Pi-puck Camera Interface)".
	Name() string
	// Modes lists the camera's modes without disturbing other users. It fails with an error that matches
	// [ErrNoDevice] while the camera is absent. A mode whose FrameRate is 0 supports any.
	Modes(ctx context.Context) ([]Mode, error)
	// Open starts the camera in one of its modes, with the nearest frame rate; the caller drops frames beyond the
	// requested one. Errors match [ErrNoDevice], [ErrMode] (a [ModeError]) or [ErrNotBuiltIn]. ctx limits the opening,
	// not the source.
	Open(ctx context.Context, want Mode) (Source, error)
}

// Source is an opened camera, with the methods of mediadevices' video.Reader.
type Source interface {
	// Read waits for the next frame. The frame's data is valid until release is called, once, from any goroutine; a
	// source has memory for at least four frames not yet released, and drops the oldest unread one when all are used.
	// Errors: [ErrFrame] if this frame is damaged and the next Read may succeed; [ErrUnplugged] if the camera was
	// removed; [ErrTimeout] if it sends nothing; [ErrClosed] after Close. After all but ErrFrame the source must be
	// closed. One goroutine calls Read.
	Read() (f Frame, release func(), err error)
	// Close stops the camera and frees its memory; a waiting Read returns [ErrClosed]. Frames not yet released stay
	// readable until they are. Close may be called from any goroutine, and more than once.
	Close() error
}
