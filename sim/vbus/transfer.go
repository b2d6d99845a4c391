// SPDX-License-Identifier: Apache-2.0

package vbus

import (
	"context"
	"fmt"
	"log/slog"
	"syscall"

	"github.com/epuck-ros2/epuck-driver/internal/system"
)

// Tx writes w to the chip at addr and then, after a repeated start, reads r
// from it; either may be empty. Both empty probes the address. Nothing is
// allocated when it succeeds.
//
// It fails with an error wrapping system.EREMOTEIO when an acknowledge is
// missing, syscall.ETIMEDOUT when the clock is held, syscall.EINVAL for a
// message over 8192 bytes, os.ErrClosed after Close, or with one that names an
// address over 0x7f. As with the real driver, a failed transfer may have
// reached the chip, and r holds nothing of worth.
func (b *Bus) Tx(addr uint16, w, r []byte) error {
	if addr > 0x7f {
		return fmt.Errorf("%w: %#x", errAddress, addr)
	}
	if len(w) > maxMessage || len(r) > maxMessage {
		return fmt.Errorf("%s: write of %d and read of %d bytes at %#02x: %w",
			b.name, len(w), len(r), addr, syscall.EINVAL)
	}
	b.wire <- struct{}{}
	defer b.release()
	if b.closed {
		return errClosed
	}
	f := b.fault(addr, len(w), len(r))
	if f.Kind != None && b.logger != nil {
		b.logger.LogAttrs(context.Background(), slog.LevelDebug, "fault injected",
			slog.String("bus", b.name), slog.Int("address", int(addr)),
			slog.String("fault", f.Kind.String()), slog.Int("byte", f.Byte))
	}
	err := b.transfer(addr, w, r, f)
	if b.tap != nil {
		b.tap(addr, w, r, err)
	}
	if err != nil {
		return fmt.Errorf("%s: transfer with %#02x: %w", b.name, addr, err)
	}
	return nil
}

// transfer runs the two messages with at most one fault in them.
func (b *Bus) transfer(addr uint16, w, r []byte, f Fault) error {
	if f.Kind == Stuck { // neither line moves: no chip notices anything
		return b.hang()
	}
	chip := b.chips[addr]
	if rs, ok := chip.(Restarter); ok && f.Kind == Restart {
		rs.Restart()
	}
	if chip == nil || f.Kind == NAK || !chip.Ready() {
		b.wait(1)
		return system.EREMOTEIO
	}
	if len(w) > 0 || len(r) == 0 {
		if err := b.write(chip, w, f); err != nil {
			return err
		}
	}
	if len(r) == 0 {
		return nil
	}
	if c, ok := chip.(StopSensitive); ok && len(w) > 0 && !c.RepeatedStart() {
		b.wait(1)
		return system.EREMOTEIO
	}
	return b.read(chip, r, f)
}

func (b *Bus) write(chip Chip, w []byte, f Fault) error {
	switch f.Kind {
	case Timeout:
		b.cut(chip, w, f.Byte%max(1, len(w)), false)
		return b.hang()
	case DataNAK:
		b.wait(2 + f.Byte)
		b.cut(chip, w, f.Byte, true)
		return system.EREMOTEIO
	case Glitch:
		b.wait(2 + f.Byte)
		chip.Disturbed()
		return system.EREMOTEIO
	}
	if heard := b.readableBytes(chip, len(w)); heard < len(w) {
		b.wait(1 + heard)
		chip.Disturbed()
		return system.EREMOTEIO
	}
	b.sent = append(b.sent[:0], w...)
	if f.Kind == CorruptWrite {
		b.sent[f.Byte] ^= f.Mask
	}
	b.wait(1 + len(w))
	if n := chip.Receive(b.sent); n < len(w) {
		return system.EREMOTEIO
	}
	return nil
}

// cut informs a chip that only the first n bytes of a write arrived.
func (b *Bus) cut(chip Chip, w []byte, n int, ended bool) {
	c, ok := chip.(Collector)
	if !ok {
		chip.Disturbed()
		return
	}
	b.sent = append(b.sent[:0], w[:n]...)
	c.Cut(b.sent, ended)
}

func (b *Bus) read(chip Chip, r []byte, f Fault) error {
	switch f.Kind {
	case ReadNAK: // the address after the repeated start is not acknowledged
		b.wait(1)
		disturbReader(chip)
		return system.EREMOTEIO
	case ReadTimeout:
		disturbReader(chip)
		return b.hang()
	}
	chip.Transmit(r)
	said := b.readableBytes(chip, len(r))
	b.wait(1 + said)
	if said < len(r) { // the rest is a line that is not pulled low
		chip.Disturbed()
		for i := said; i < len(r); i++ {
			r[i] = 0xFF
		}
		b.wait(len(r) - said)
	}
	if f.Kind == CorruptRead {
		r[f.Byte] ^= f.Mask
	}
	return nil
}

// disturbReader informs a chip that its read did not come about.
func disturbReader(chip Chip) {
	if _, ok := chip.(Collector); !ok {
		chip.Disturbed()
	}
}

// readableBytes returns how many of n bytes a chip takes part in before a message
// lasts too long for it.
func (b *Bus) readableBytes(chip Chip, n int) int {
	c, ok := chip.(Impatient)
	if !ok {
		return n
	}
	bytes := int64(c.MessageTimeout() / (bitsPerByte * b.bit))
	return int(min(max(bytes-1, 0), int64(n)))
}
