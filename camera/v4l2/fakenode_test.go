// SPDX-License-Identifier: Apache-2.0

//go:build linux

package v4l2

import (
	"slices"
	"syscall"
	"time"
	"unsafe"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/internal/vpoll"
)

// fakeNode is one opening of a fakeCam.
type fakeNode struct {
	cam    *fakeCam
	closed bool
	awake  bool
}

// enter is the start of every ioctl. It locks the camera.
func (n *fakeNode) enter(call string) (err error) {
	c := n.cam
	c.mu.Lock()
	if c.calls == nil {
		c.calls = map[string]int{}
	}
	c.calls[call]++
	if n.closed {
		c.t.Errorf("%v: %s after close", c, call)
		err = syscall.EBADF
	}
	if !c.plugged {
		err = syscall.ENODEV
	}
	if e := c.fail[call]; e != nil && err == nil {
		err = e
	}
	return err
}

func (n *fakeNode) capability() (capability, error) {
	err := n.enter("capability")
	defer n.cam.mu.Unlock()
	return capability{n.cam.driver, n.cam.card, "usb-1.4", n.cam.caps}, err
}

func (n *fakeNode) format(i int) (camera.PixelFormat, error) {
	err := n.enter("format")
	defer n.cam.mu.Unlock()
	if err == nil && i >= len(n.cam.list) {
		err = syscall.EINVAL
	}
	if err != nil {
		return 0, err
	}
	return n.cam.list[i].format, nil
}

func (n *fakeNode) mode(f camera.PixelFormat) fakeMode {
	i := slices.IndexFunc(n.cam.list, func(m fakeMode) bool { return m.format == f })
	if i < 0 {
		return fakeMode{}
	}
	return n.cam.list[i]
}

func (n *fakeNode) size(i int, f camera.PixelFormat) (sizes, error) {
	err := n.enter("size")
	defer n.cam.mu.Unlock()
	if err == nil && i >= len(n.mode(f).sizes) {
		err = syscall.EINVAL
	}
	if err != nil {
		return sizes{}, err
	}
	return n.mode(f).sizes[i], nil
}

func (n *fakeNode) interval(i int, f camera.PixelFormat, _, _ int) (intervals, error) {
	err := n.enter("interval")
	defer n.cam.mu.Unlock()
	if err == nil && i >= len(n.mode(f).intervals) {
		err = syscall.EINVAL
	}
	if err != nil {
		return intervals{}, err
	}
	return n.mode(f).intervals[i], nil
}

func (n *fakeNode) setFormat(f camera.PixelFormat, w, h int) (layout, error) {
	err := n.enter("setFormat")
	defer n.cam.mu.Unlock()
	c := n.cam
	if err == nil && len(c.buffers) > 0 {
		err = syscall.EBUSY
	}
	if err != nil {
		return layout{}, err
	}
	if c.fixed != nil {
		f, w, h = c.fixed.Format, c.fixed.Width, c.fixed.Height
	}
	stride := w * f.BytesPerPixel()
	image := stride * h
	if f.Compressed() {
		image = w * h
	}
	c.format = layout{format: f, width: w, height: h, stride: stride, image: image, quantization: c.quantization, colorspace: c.colorspace}
	return c.format, nil
}

func (n *fakeNode) setInterval(i fraction) (fraction, error) {
	err := n.enter("setInterval")
	defer n.cam.mu.Unlock()
	n.cam.rate = i
	return i, err
}

func (n *fakeNode) request(count int) (int, error) {
	err := n.enter("request")
	defer n.cam.mu.Unlock()
	c := n.cam
	if err == nil && (c.owner != nil && c.owner != n || c.streaming) {
		err = syscall.EBUSY
	}
	if err != nil {
		return 0, err
	}
	c.buffers, c.done, c.owner = nil, nil, n
	if count == 0 {
		c.owner = nil
		return 0, nil
	}
	c.buffers = make([]fakeBuffer, min(count, c.limit))
	return len(c.buffers), nil
}

func (n *fakeNode) mapBuffer(i int) ([]byte, error) {
	err := n.enter("mapBuffer")
	defer n.cam.mu.Unlock()
	if err == nil && i >= len(n.cam.buffers) {
		err = syscall.EINVAL
	}
	if err != nil {
		return nil, err
	}
	n.cam.mapped++
	n.cam.buffers[i].data = make([]byte, n.cam.format.image)
	return n.cam.buffers[i].data, nil
}

func (n *fakeNode) unmap(data []byte) error {
	n.cam.mu.Lock()
	defer n.cam.mu.Unlock()
	n.cam.mapped--
	if unsafe.SliceData(data) == nil {
		return syscall.EINVAL
	}
	return nil
}

func (n *fakeNode) queue(i int) error {
	err := n.enter("queue")
	defer n.cam.mu.Unlock()
	if err == nil && (i >= len(n.cam.buffers) || n.cam.buffers[i].queued) {
		err = syscall.EINVAL
	}
	if err == nil {
		n.cam.buffers[i].queued = true
	}
	return err
}

func (n *fakeNode) dequeue() (buffer, error) {
	err := n.enter("dequeue")
	defer n.cam.mu.Unlock()
	c := n.cam
	switch {
	case err != nil:
		return buffer{}, err
	case !c.streaming:
		return buffer{}, syscall.EINVAL
	case len(c.done) == 0:
		return buffer{}, syscall.EAGAIN
	}
	b := c.done[0]
	c.done = slices.Delete(c.done, 0, 1)
	if b.index < len(c.buffers) {
		c.buffers[b.index].queued, c.buffers[b.index].filled = false, false
	}
	return b, nil
}

func (n *fakeNode) stream(on bool) error {
	err := n.enter("stream")
	defer n.cam.mu.Unlock()
	c := n.cam
	if err == nil && on && len(c.buffers) == 0 {
		err = syscall.EINVAL
	}
	if err == nil {
		c.streaming = on
	}
	if !on {
		c.done = nil
		for i := range c.buffers {
			c.buffers[i].queued, c.buffers[i].filled = false, false
		}
	}
	return err
}

func (n *fakeNode) wait(d time.Duration) (vpoll.Events, error) {
	var timer *time.Timer
	for {
		c := n.cam
		_ = n.enter("wait")
		ev, changed := vpoll.Events(0), c.changed
		if n.awake {
			ev |= vpoll.Woken
		}
		if len(c.done) > 0 {
			ev |= vpoll.Readable
		}
		if !c.plugged || !c.streaming || c.fail["dequeue"] != nil {
			ev |= vpoll.Failed
		}
		if c.alarms > 0 && ev == 0 {
			c.alarms--
			ev |= vpoll.Failed
		}
		err := c.fail["wait"]
		c.mu.Unlock()
		if ev != 0 || err != nil || d <= 0 {
			return ev, err
		}
		if timer == nil {
			timer = time.NewTimer(d)
			defer timer.Stop()
		}
		select {
		case <-changed:
		case <-timer.C:
			return 0, nil
		}
	}
}

func (n *fakeNode) wake() {
	n.cam.mu.Lock()
	defer n.cam.mu.Unlock()
	n.awake = true
	n.cam.notify()
}

func (n *fakeNode) gone() bool {
	n.cam.mu.Lock()
	defer n.cam.mu.Unlock()
	return !n.cam.plugged
}

func (n *fakeNode) close() error {
	_ = n.enter("close")
	defer n.cam.mu.Unlock()
	c := n.cam
	n.closed = true
	c.openNodes--
	if c.owner == n && c.mapped == 0 {
		c.owner, c.buffers, c.streaming = nil, nil, false
	}
	return c.fail["close"]
}
