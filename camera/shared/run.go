// SPDX-License-Identifier: Apache-2.0

package shared

import (
	"sync"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// run is the camera while it is open. One goroutine reads it and passes each frame to all views.
type run struct {
	src  camera.Source
	mode camera.Mode
	done chan struct{} // closed when the goroutine has ended
	shut func() error  // closes src, once

	mu    sync.Mutex
	views map[*view]struct{}
	err   error // reason of the end
}

func begin(src camera.Source, mode camera.Mode) *run {
	r := &run{src: src, mode: mode, done: make(chan struct{}), shut: sync.OnceValue(src.Close), views: map[*view]struct{}{}}
	task.Go("shared camera", r.read)
	return r
}

func (r *run) read() {
	defer close(r.done)
	for {
		f, release, err := r.src.Read()
		if err == nil {
			r.distribute(f, release)
			continue
		}
		if r.report(err); ends(err) {
			return
		}
	}
}

// distribute passes a frame to all views; it returns to the camera when the last of them has released it.
func (r *run) distribute(f camera.Frame, release func()) {
	r.mu.Lock()
	s := &share{Frame: f, release: release, users: 1 + len(r.views)}
	for v := range r.views {
		v.put(s)
	}
	r.mu.Unlock()
	s.free()
}

// report passes an error to all views.
func (r *run) report(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if ends(err) && r.err == nil {
		r.err = err
	}
	for v := range r.views {
		v.fail(err)
	}
}

// failed returns the reason of the end; nil while frames arrive.
func (r *run) failed() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// end closes the camera; the views read the reason why.
func (r *run) end(why error) error {
	r.report(why)
	err := r.shut()
	<-r.done
	return err
}

// join adds a view.
func (r *run) join(c *Camera) *view {
	v := &view{c: c, r: r, news: make(chan struct{}, 1)}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.views[v] = struct{}{}
	if r.err != nil { // it has just ended
		v.fail(r.err)
	}
	return v
}

// remove removes a view and reports whether none is left.
func (r *run) remove(v *view) (last bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.views, v)
	return len(r.views) == 0
}

// share is a frame with several readers.
type share struct {
	camera.Frame
	release func()

	mu    sync.Mutex
	users int
}

// free drops one reference to the frame.
func (s *share) free() {
	s.mu.Lock()
	s.users--
	last := s.users == 0
	s.mu.Unlock()
	if last {
		s.release()
	}
}
