// SPDX-License-Identifier: Apache-2.0

package shm

import (
	"hash/crc32"
	"sync/atomic"

	"github.com/epuck-ros2/epuck-driver/internal/pagefault"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// Pins: the first words of a participant's file name the blocks of other participants that it is reading. Only it
// writes them; the blocks' owners read them before they overwrite a block.
const (
	maxLoans  = 63
	copyPin   = maxLoans           // of the block that is being copied
	tableSize = 4 * (maxLoans + 1) // of the words, bytes
)

// lentShare is the part of a participant's memory that another one may have on loan: a fraction with this denominator.
const lentShare = 4

// pinOf returns the word for the block at an offset of the owner with an identity. If two blocks have the same word,
// the wrong one is kept as well, which costs its memory for a while.
func pinOf(owner uint32, offset uint64) uint32 {
	return max(1, (owner^uint32(offset/alignment))*0x9E3779B1)
}

// identity returns a number for a participant.
func identity(prefix wire.GUIDPrefix) uint32 { return crc32.ChecksumIEEE(prefix[:]) }

// Loan is the right to read a payload where its owner has written it: the block is not overwritten before Release.
// It is safe for concurrent use.
type Loan struct {
	table   *pinTable
	slot    int
	view    *View
	payload []byte
	uses    atomic.Int32
	taken   atomic.Bool
}

// Payload returns the payload, which cannot be written.
func (l *Loan) Payload() []byte { return l.payload }

// Retain makes one more call of Release necessary.
func (l *Loan) Retain() { l.uses.Add(1) }

// Release ends the loan when it is called as often as [View.Lend] and [Loan.Retain]: the payload must not be used
// afterwards.
func (l *Loan) Release() {
	if l.uses.Add(-1) > 0 {
		return
	}
	l.table.unpin(l.slot)
	l.view.lent.Add(-int64(len(l.payload)))
	_ = l.view.mapping.release() // of a mapping that is only read
	_ = l.table.mapping.release()
	l.view, l.payload = nil, nil
	l.taken.Store(false)
}

// pinTable are the pins of a participant, with their loans.
type pinTable struct {
	mapping *mapping // of its own file
	loans   [maxLoans]Loan
}

func newPinTable(m *mapping) *pinTable {
	t := &pinTable{mapping: m}
	for i := range t.loans {
		t.loans[i].table, t.loans[i].slot = t, i
	}
	return t
}

// pin sets a pin. In a file that another program has truncated there are none: then the owner of the block may
// overwrite it, which every reader of a copy detects.
func (t *pinTable) pin(slot int, word uint32) {
	pagefault.Caught(func() { t.word(slot).Store(word) })
}

func (t *pinTable) unpin(slot int) { t.pin(slot, 0) }

func (t *pinTable) word(slot int) *atomic.Uint32 { return word(t.mapping.mem, uint64(4*slot)) }

// free returns a loan that is not taken, or nil.
func (t *pinTable) free() *Loan {
	for i := range t.loans {
		if !t.loans[i].taken.Load() {
			return &t.loans[i]
		}
	}
	return nil
}
