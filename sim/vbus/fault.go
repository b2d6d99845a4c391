// SPDX-License-Identifier: Apache-2.0

package vbus

import "fmt"

// Kind names a way in which a transfer goes wrong.
type Kind uint8

// The faults. "The chip is disturbed" means its Disturbed method is called; the
// e-puck2's firmware then drops the next command.
const (
	// None: the transfer is left alone.
	None Kind = iota
	// NAK: no chip acknowledges the address. EREMOTEIO; the chip sees nothing.
	NAK
	// DataNAK: byte Byte of the write is not acknowledged. EREMOTEIO; the chip
	// is disturbed and has received no message, a Collector the bytes before it.
	DataNAK
	// Timeout: the clock hangs during the write. ETIMEDOUT after Config.Timeout;
	// the chip is disturbed and has received no message, a Collector the bytes
	// before byte Byte, without an end.
	Timeout
	// ReadNAK: the write arrives, the read is not acknowledged. EREMOTEIO; the
	// chip, unless it is a Collector, is disturbed after having obeyed. Acts on
	// transfers that read.
	ReadNAK
	// ReadTimeout: the write arrives, the clock hangs before the read.
	// ETIMEDOUT; the chip, unless it is a Collector, is disturbed after having
	// obeyed.
	ReadTimeout
	// CorruptWrite: byte Byte of the write arrives XORed with Mask. No error.
	CorruptWrite
	// CorruptRead: byte Byte of the read arrives XORed with Mask. No error.
	CorruptRead
	// Restart: the chip restarts just before the transfer.
	Restart
	// Stuck: the data line is held low, no chip can hear anything. ETIMEDOUT.
	Stuck
	// Glitch: an edge within byte Byte of the write looks like a stop or a start.
	// EREMOTEIO; any chip is disturbed and has received no message.
	Glitch
	kinds
)

// String returns the name of k in lower case.
func (k Kind) String() string {
	names := [...]string{"none", "nak", "data nak", "timeout", "read nak", "read timeout",
		"corrupt write", "corrupt read", "restart", "stuck", "glitch"}
	if k < kinds {
		return names[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// Fault is one failure of one transfer.
type Fault struct {
	// Kind says what happens.
	Kind Kind
	// Byte is the index of the byte concerned, counted from 0 in the write or
	// the read. In a shorter message it is taken modulo the length.
	Byte int
	// Mask is XORed onto that byte by the corrupting kinds. It defaults to 0x01.
	Mask byte
}

func (f Fault) check() error {
	if f.Kind >= kinds {
		return fmt.Errorf("%w: %v", errFault, f.Kind)
	}
	if f.Byte < 0 {
		return fmt.Errorf("%w: byte %d of %v", errFault, f.Byte, f.Kind)
	}
	return nil
}

// fitted returns f adapted to a transfer, or no fault where it cannot act.
func (f Fault) fitted(w, r int) Fault {
	n := w
	switch f.Kind {
	case CorruptRead, ReadNAK, ReadTimeout:
		n = r
	case None, NAK, Timeout, Restart, Stuck:
		if f.Kind == Timeout && w == 0 && r > 0 {
			f.Kind = ReadTimeout
		}
		return f
	}
	if n == 0 {
		return Fault{}
	}
	f.Byte %= n
	if f.Mask == 0 {
		f.Mask = 0x01
	}
	return f
}
