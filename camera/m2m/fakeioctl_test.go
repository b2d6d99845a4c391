// SPDX-License-Identifier: Apache-2.0

//go:build linux

package m2m

import (
	"slices"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/camera"
)

func (f *fakeFile) Ioctl(request uintptr, arg unsafe.Pointer) error {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if f.closed {
		f.d.t.Errorf("request %#x after close", request)
		return unix.EBADF
	}
	if f.d.gone {
		return unix.ENODEV
	}
	names := map[uintptr]string{
		vidiocQuerycap: "QUERYCAP", vidiocSFmt: "S_FMT", vidiocReqbufs: "REQBUFS", vidiocQuerybuf: "QUERYBUF", vidiocQbuf: "QBUF",
		vidiocDqbuf: "DQBUF", vidiocStreamon: "STREAMON", vidiocStreamoff: "STREAMOFF", vidiocSCtrl: "S_CTRL",
	}
	name, known := names[request]
	if !known {
		return unix.ENOTTY
	}
	if err := f.d.fail[name]; err != nil {
		if f.d.onlyOnce {
			delete(f.d.fail, name)
		}
		return err
	}
	switch name {
	case "QUERYCAP":
		c := (*capability)(arg)
		copy(c.card[:], f.d.card)
		copy(c.driver[:], "bcm2835-codec")
		c.caps, c.node = f.d.caps|capPerNode, f.d.caps
		return nil
	case "S_FMT":
		return f.setFormat((*format)(arg))
	case "REQBUFS":
		return f.request((*requestBuffers)(arg))
	case "QUERYBUF":
		return f.query((*buffer)(arg))
	case "QBUF":
		return f.queue((*buffer)(arg))
	case "DQBUF":
		return f.dequeue((*buffer)(arg))
	case "S_CTRL":
		c := (*control)(arg)
		if f.d.controls != nil {
			if slices.Contains(f.d.without, c.id) {
				return unix.EINVAL
			}
			f.d.controls[c.id] = c.value
			return nil
		}
		if c.id != jpegQuality {
			return unix.EINVAL
		}
		f.d.quality = min(max(c.value, 1), 100)
		return nil
	}
	return f.stream(*(*uint32)(arg), name == "STREAMON")
}

func align(v, to uint32) uint32 { return (v + to - 1) / to * to }

// setFormat rounds as vidioc_try_fmt does.
func (f *fakeFile) setFormat(v *format) error {
	row := f.rows[v.queue]
	if row == nil {
		return unix.EINVAL
	}
	if len(row.bufs) > 0 {
		return unix.EBUSY
	}
	offers := f.d.takes
	if v.queue == queueCapture {
		offers = f.d.gives
	}
	p := &v.pix
	if !slices.Contains(offers, camera.PixelFormat(p.fourcc)) {
		if len(offers) == 0 {
			return unix.EINVAL
		}
		p.fourcc = uint32(offers[0])
	}
	p.width, p.height = min(p.width, 1920), min(p.height, 1920)
	p.numPlanes = 1
	pl := &p.planes[0]
	if got := camera.PixelFormat(p.fourcc); got == camera.JPEG || got == formatH264 {
		pl.stride, pl.sizeImage = 0, max(pl.sizeImage, 4<<20)
	} else {
		if p.width, p.height = max(p.width, 32), max(p.height, 32); f.d.rows16 {
			p.height = align(p.height, 16)
		}
		step := uint32(32)
		if camera.PixelFormat(p.fourcc) == camera.YUYV {
			step = 64
		}
		pl.stride = align(max(pl.stride, p.width*uint32(camera.PixelFormat(p.fourcc).BytesPerPixel())), step)
		pl.sizeImage = pl.stride * p.height
	}
	f.fmt[v.queue] = *p
	return nil
}

func (f *fakeFile) request(v *requestBuffers) error {
	row := f.rows[v.queue]
	switch {
	case row == nil || v.memory != memoryMapped:
		return unix.EINVAL
	case row.on:
		return unix.EBUSY
	}
	f.d.buffers -= len(row.bufs)
	row.bufs, row.queued, row.done = nil, nil, nil
	if v.count == 0 {
		return nil
	}
	size := int(f.fmt[v.queue].planes[0].sizeImage)
	if size == 0 {
		return unix.EINVAL // no format was set
	}
	if f.d.memory > 0 && size*int(v.count) > f.d.memory {
		return unix.ENOMEM
	}
	v.count = min(v.count, maxBuffers)
	if f.d.most > 0 {
		v.count = min(v.count, uint32(f.d.most))
	}
	for range v.count {
		row.bufs = append(row.bufs, &fakeBuf{mem: make([]byte, size)})
	}
	f.d.buffers += len(row.bufs)
	return nil
}

// buf checks what every request on a buffer must have.
func (f *fakeFile) buf(v *buffer) (*fakeRow, *fakeBuf, error) {
	row := f.rows[v.queue]
	switch {
	case row == nil || v.memory != memoryMapped || v.length < 1:
		return nil, nil, unix.EINVAL
	case v.planes == nil:
		return nil, nil, unix.EFAULT
	case int(v.index) >= len(row.bufs):
		return row, nil, unix.EINVAL
	}
	return row, row.bufs[v.index], nil
}

func (f *fakeFile) query(v *buffer) error {
	_, b, err := f.buf(v)
	if err != nil {
		return err
	}
	v.length = 1
	v.planes.length = uint32(len(b.mem))
	v.planes.place = uintptr(v.queue<<24 | v.index<<12)
	return nil
}

func (f *fakeFile) queue(v *buffer) error {
	row, b, err := f.buf(v)
	if err != nil {
		return err
	}
	if b.state != "" {
		return unix.EINVAL
	}
	if v.queue == queueOutput {
		if v.planes.used > v.planes.length || int(v.planes.used) > len(b.mem) || v.planes.begin > 0 && v.planes.begin >= v.planes.used {
			return unix.EINVAL
		}
		if v.planes.used == 0 {
			f.d.t.Error("an OUTPUT buffer without data means the end of the stream to this driver")
		}
	}
	b.state, b.used, b.time = "queued", v.planes.used, v.time
	row.queued = append(row.queued, int(v.index))
	f.run()
	return nil
}

func (f *fakeFile) dequeue(v *buffer) error {
	row := f.rows[v.queue]
	switch {
	case row == nil || v.memory != memoryMapped || v.length < 1:
		return unix.EINVAL
	case v.planes == nil:
		return unix.EFAULT
	case !row.on:
		return unix.EINVAL
	case len(row.done) == 0:
		return unix.EAGAIN
	}
	v.index = uint32(row.done[0])
	row.done = slices.Delete(row.done, 0, 1)
	b := row.bufs[v.index]
	b.state = ""
	v.flags, v.time, v.length = b.flags, b.time, 1
	v.planes.used, v.planes.length, v.planes.begin = b.used, uint32(len(b.mem)), 0
	return nil
}

func (f *fakeFile) stream(queue uint32, on bool) error {
	row := f.rows[queue]
	if row == nil || on && len(row.bufs) == 0 {
		return unix.EINVAL
	}
	row.on = on
	if !on {
		row.queued, row.done = nil, nil
		for _, b := range row.bufs {
			b.state = ""
		}
		return nil
	}
	f.run()
	return nil
}

// run starts every job there is a picture and a buffer for.
func (f *fakeFile) run() {
	out, in := f.rows[queueOutput], f.rows[queueCapture]
	for out.on && in.on && !f.stuck && !f.busy && len(out.queued) > 0 && len(in.queued) > 0 {
		from := out.bufs[out.queued[0]]
		to := in.bufs[in.queued[0]]
		o, i := out.queued[0], in.queued[0]
		out.queued, in.queued = slices.Delete(out.queued, 0, 1), slices.Delete(in.queued, 0, 1)
		from.state, to.state = "active", "active"
		if f.d.latency == 0 {
			f.finish(from, to, o, i)
			continue
		}
		f.busy = true
		time.AfterFunc(f.d.latency, func() {
			f.d.mu.Lock()
			defer f.d.mu.Unlock()
			f.busy = false
			if from.state == "active" && to.state == "active" && !f.closed {
				f.finish(from, to, o, i)
				f.run()
			}
		})
	}
}

// finish is the end of a job.
func (f *fakeFile) finish(from, to *fakeBuf, o, i int) {
	out, in := f.rows[queueOutput], f.rows[queueCapture]
	if f.d.garbage { // before the first result: an empty buffer of ours; the job continues with the next
		f.d.garbage = false
		to.state, to.used, to.flags, to.time = "done", 17, 0, unix.Timeval{}
		in.done = append(in.done, i)
		from.state = "queued"
		out.queued = slices.Insert(out.queued, 0, o)
		f.notify()
		return
	}
	f.d.jobs++
	what := fine
	if f.d.plan != nil {
		what = f.d.plan(f.d.jobs)
	}
	from.state = "done"
	out.done = append(out.done, o)
	switch what {
	case never:
		f.stuck = true
		return
	case lost:
		to.state = "queued"
		in.queued = slices.Insert(in.queued, 0, i)
		return
	}
	data := f.d.work(f, from.mem[:from.used], numberOf(from.time))
	to.used, to.flags, to.time, to.state = uint32(copy(to.mem, data)), 0, from.time, "done"
	switch what {
	case damaged:
		to.flags = flagError
	case truncated:
		to.used -= 20
	case empty:
		to.used = 0
	case zeros:
		clear(to.mem[to.used : to.used+64])
		to.used += 64
	case oversize:
		to.used = uint32(len(to.mem)) + 1
	}
	in.done = append(in.done, i)
	f.notify()
}
