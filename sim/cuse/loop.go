// SPDX-License-Identifier: Apache-2.0

//go:build linux

package cuse

import (
	"errors"
	"fmt"
	"log/slog"
	"syscall"
)

// loop takes the kernel's messages. Each is answered by a goroutine of its own: while one program waits for the bus,
// another may open, configure and close.
func (d *Device) loop() {
	defer close(d.done)
	err := d.listen()
	d.mu.Lock()
	closing := d.closing
	d.mu.Unlock()
	if err != nil && !closing {
		d.err = err
		d.log.Error("cuse: device lost", slog.String("device", d.Path()), slog.Any("error", err))
		_ = d.channel.Close()
	}
	d.calls.Wait()
}

func (d *Device) listen() error {
	buf := make([]byte, requestSize)
	for {
		n, err := d.channel.Read(buf)
		switch {
		case errors.Is(err, syscall.ENOENT), errors.Is(err, syscall.EINTR):
			continue // a request that was taken back
		case err != nil:
			return fmt.Errorf("cuse: %s: %w", d.Path(), err)
		}
		r, err := parseRequest(buf[:n])
		if err != nil {
			return err
		}
		r.body = append([]byte(nil), r.body...)
		d.calls.Go("device request", func() { d.answer(r) })
	}
}

// answer answers one message. That the kernel does not want the answer any more is no error: its program was killed.
func (d *Device) answer(r request) {
	if b := d.respond(r); b != nil {
		_, _ = d.channel.Write(b)
	}
}

// respond makes the answer to a message.
func (d *Device) respond(r request) []byte {
	switch r.opcode {
	case opOpen:
		return r.answer(0, d.open())
	case opRelease:
		return r.answer(d.release(r.body))
	case opRead:
		return d.read(r)
	case opWrite:
		return d.write(r)
	case opIoctl:
		return d.ioctl(r)
	}
	// Interrupt: transfers end soon by themselves. Poll: i2c-dev has none either. The kernel does not ask again.
	return r.answer(syscall.ENOSYS)
}

// open makes an opener and gives struct fuse_open_out.
func (d *Device) open() []byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.last++
	d.openers[d.last] = &opener{adapter: d.adapter}
	d.log.Debug("cuse: opened", slog.String("device", d.Path()), slog.Int("open", len(d.openers)))
	return native.AppendUint64(make([]byte, 0, sizeOpenOut), d.last)[:sizeOpenOut]
}

func (d *Device) release(body []byte) syscall.Errno {
	if len(body) < sizeRelease {
		return syscall.EINVAL
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.openers, native.Uint64(body))
	d.log.Debug("cuse: closed", slog.String("device", d.Path()), slog.Int("open", len(d.openers)))
	return 0
}

// opener finds who makes a request; its file handle comes first in all of them.
func (d *Device) opener(body []byte, size int) (*opener, syscall.Errno) {
	if len(body) < size {
		return nil, syscall.EINVAL
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	o := d.openers[native.Uint64(body)]
	if o == nil {
		return nil, syscall.EBADF
	}
	return o, 0
}

func (d *Device) read(r request) []byte {
	o, no := d.opener(r.body, sizeReadIn)
	if no != 0 {
		return r.answer(no)
	}
	b, err := o.read(native.Uint32(r.body[16:]))
	return r.answer(errnoOf(err), b)
}

func (d *Device) write(r request) []byte {
	o, no := d.opener(r.body, sizeWriteIn)
	if no != 0 {
		return r.answer(no)
	}
	data := r.body[sizeWriteIn:]
	if uint64(native.Uint32(r.body[16:])) != uint64(len(data)) {
		return r.answer(syscall.EINVAL)
	}
	n, err := o.write(data)
	out := make([]byte, sizeWriteOut)
	native.PutUint32(out, n)
	return r.answer(errnoOf(err), out)
}

func (d *Device) ioctl(r request) []byte {
	call, ok := parseIoctl(r.body)
	if !ok {
		return r.answer(syscall.EINVAL)
	}
	o, no := d.opener(r.body, sizeIoctlIn)
	if no != 0 {
		return r.answer(no)
	}
	m := &memory{narrow: call.narrow, in: call.in, space: uint64(call.outSize)}
	result, err := o.ioctl(call.command, call.arg, m)
	if errors.Is(err, errRetry) {
		return r.answer(0, m.wanted()...)
	}
	if err != nil {
		return r.answer(errnoOf(err))
	}
	return r.answer(0, append([][]byte{ioctlHeader(result, 0, 0, 0)}, m.out...)...)
}
