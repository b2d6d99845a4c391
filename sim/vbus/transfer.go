// SPDX-License-Identifier: Apache-2.0

package vbus

import (
	"context"
	"fmt"
	"log/slog"
	"syscall"
)

// Tx writes w to the chip at addr and then, after a repeated start, reads r
// from it; either may be empty. Both empty probes the address. Nothing is
// allocated when it succeeds.
//
// It fails with an error wrapping syscall.EREMOTEIO when an acknowledge is
// missing, syscall.ETIMEDOUT when the clock is held, syscall.EINVAL for a
// message over 8192 bytes, ErrAddress, or ErrClosed. As with the real driver, a
// failed transfer may have reached the chip, and r holds nothing of worth.
func (b *Bus) Tx(addr uint16, w, r []byte) error {
	if addr > 0x7f {
		return fmt.Errorf("%w: %#x", ErrAddress, addr)
	}
	if len(w) > maxMessage || len(r) > maxMessage {
		return fmt.Errorf("%s: write of %d and read of %d bytes at %#02x: %w",
			b.name, len(w), len(r), addr, syscall.EINVAL)
	}
	b.wire <- struct{}{}
	defer b.release()
	if b.closed {
		return ErrClosed
	}
	f := b.fault(addr, len(w), len(r))
	if f.Kind != None && b.logger != nil {
		b.logger.LogAttrs(context.Background(), slog.LevelDebug, "fault injected",
			slog.String("bus", b.name), slog.Int("address", int(addr)),
			slog.String("fault", f.Kind.String()), slog.Int("byte", f.Byte))
	}
	if err := b.transfer(addr, w, r, f); err != nil {
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
		return syscall.EREMOTEIO
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
		return syscall.EREMOTEIO
	}
	return b.read(chip, r, f)
}

func (b *Bus) write(chip Chip, w []byte, f Fault) error {
	switch f.Kind {
	case Timeout:
		chip.Disturbed()
		return b.hang()
	case DataNAK:
		b.wait(2 + f.Byte)
		chip.Disturbed()
		return syscall.EREMOTEIO
	}
	if heard := b.patience(chip, len(w)); heard < len(w) {
		b.wait(1 + heard)
		chip.Disturbed()
		return syscall.EREMOTEIO
	}
	b.sent = append(b.sent[:0], w...)
	if f.Kind == CorruptWrite {
		b.sent[f.Byte] ^= f.Mask
	}
	b.wait(1 + len(w))
	if n := chip.Receive(b.sent); n < len(w) {
		return syscall.EREMOTEIO
	}
	return nil
}

func (b *Bus) read(chip Chip, r []byte, f Fault) error {
	switch f.Kind {
	case ReadNAK: // the address after the repeated start is not acknowledged
		b.wait(1)
		chip.Disturbed()
		return syscall.EREMOTEIO
	case ReadTimeout:
		chip.Disturbed()
		return b.hang()
	}
	chip.Transmit(r)
	if said := b.patience(chip, len(r)); said < len(r) { // the rest is a line nobody pulls low
		chip.Disturbed()
		for i := said; i < len(r); i++ {
			r[i] = 0xFF
		}
	}
	if f.Kind == CorruptRead {
		r[f.Byte] ^= f.Mask
	}
	b.wait(1 + len(r))
	return nil
}

// patience returns how many of n bytes a chip takes part in before a message
// lasts too long for it.
func (b *Bus) patience(chip Chip, n int) int {
	c, ok := chip.(Impatient)
	if !ok {
		return n
	}
	bytes := int64(c.MessageTimeout() / (bitsPerByte * b.bit))
	return int(min(max(bytes-1, 0), int64(n)))
}
