// SPDX-License-Identifier: Apache-2.0

// Package disk writes the structures of a card's image: its partition table (MBR), the list of the blocks of an
// image that are written (bmap), and the archive with the kernel's first program (cpio).
package disk

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// SectorSize is the unit of a partition table, bytes.
const SectorSize = 512

// ErrTable is matched when a first sector holds no valid partition table.
var ErrTable = errors.New("disk: partition table")

// Types of partitions.
const (
	kindFAT   = 0x0C // FAT32 with LBA, as the Raspberry Pi's boot loader requires
	kindLinux = 0x83
)

// Partition is a part of a disk, in sectors.
type Partition struct {
	Kind  byte   // 0 is none
	Start uint32 // first sector
	Count uint32 // number of sectors
}

// Table is a disk's partition table (MBR).
type Table struct {
	ID    uint32 // of the disk; Linux calls its partitions PARTUUID=ID-01 and so on
	Parts [4]Partition
}

const (
	idAt     = 440
	partsAt  = 446
	partSize = 16
	noCHS    = 0xFE // marks cylinder and head as invalid: the sector numbers count
)

// Put writes the table to a first sector and preserves the boot code before it.
func (t *Table) Put(sector []byte) {
	binary.LittleEndian.PutUint32(sector[idAt:], t.ID)
	sector[idAt+4], sector[idAt+5] = 0, 0
	for i, p := range t.Parts {
		e := sector[partsAt+i*partSize : partsAt+(i+1)*partSize]
		clear(e)
		if p.Kind == 0 {
			continue
		}
		copy(e, []byte{0, noCHS, 0xFF, 0xFF, p.Kind, noCHS, 0xFF, 0xFF})
		binary.LittleEndian.PutUint32(e[8:], p.Start)
		binary.LittleEndian.PutUint32(e[12:], p.Count)
	}
	sector[510], sector[511] = 0x55, 0xAA
}

// Parse parses a disk's first sector. The error matches [ErrTable], also for partitions that overlap or contain the
// table itself.
func Parse(sector []byte) (Table, error) {
	var t Table
	if len(sector) < SectorSize || sector[510] != 0x55 || sector[511] != 0xAA {
		return t, fmt.Errorf("%w: no signature 55 AA at the end of the first %d bytes", ErrTable, SectorSize)
	}
	t.ID = binary.LittleEndian.Uint32(sector[idAt:])
	for i := range t.Parts {
		e := sector[partsAt+i*partSize:]
		p := Partition{e[4], binary.LittleEndian.Uint32(e[8:]), binary.LittleEndian.Uint32(e[12:])}
		if p.Kind == 0 {
			continue
		}
		if p.Start == 0 || p.Count == 0 || p.end() > 1<<32 {
			return Table{}, fmt.Errorf("%w: partition %d has %d sectors from %d", ErrTable, i+1, p.Count, p.Start)
		}
		for j, o := range t.Parts[:i] {
			if o.Kind != 0 && uint64(p.Start) < o.end() && uint64(o.Start) < p.end() {
				return Table{}, fmt.Errorf("%w: partitions %d and %d overlap", ErrTable, j+1, i+1)
			}
		}
		t.Parts[i] = p
	}
	return t, nil
}

// end returns the first sector after the partition.
func (p Partition) end() uint64 { return uint64(p.Start) + uint64(p.Count) }

// Grow extends the last partition (of index last) to the end of a disk of a number of sectors, in whole MiB. It
// reports whether anything changed: a partition that is not the last on the disk is not changed, and no partition is
// shrunk.
func (t *Table) Grow(last int, sectors uint64) bool {
	p := &t.Parts[last]
	for i, o := range t.Parts {
		if i != last && o.Kind != 0 && o.Start > p.Start {
			return false
		}
	}
	const mebi = 1 << 20 / SectorSize
	end := min(sectors, 1<<32-1) / mebi * mebi
	if p.Kind == 0 || end <= p.end() {
		return false
	}
	p.Count = uint32(end - uint64(p.Start))
	return true
}
