// SPDX-License-Identifier: Apache-2.0

// Package disk writes the structures of a card's image: its partition table (MBR), the list of the blocks of an
// image that are written (bmap), and the archive with the kernel's first program (cpio).
package disk

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// SectorSize is the unit of a table of partitions, bytes.
const SectorSize = 512

// ErrTable is matched when a first sector holds no table of partitions that makes sense.
var ErrTable = errors.New("disk: table of partitions")

// Kinds of partitions.
const (
	kindFAT   = 0x0C // FAT32 with LBA, as the Raspberry Pi's boot loader wants it
	kindLinux = 0x83
)

// Partition is a part of a disk, in sectors.
type Partition struct {
	Kind  byte   // 0 is none
	Start uint32 // its first sector
	Count uint32 // how many
}

// Table is a disk's first sector as far as it divides the disk.
type Table struct {
	ID    uint32 // of the disk; Linux calls its partitions PARTUUID=ID-01 and so on
	Parts [4]Partition
}

const (
	idAt     = 440
	partsAt  = 446
	partSize = 16
	noCHS    = 0xFE // "cylinders and heads do not say": the numbers of sectors count
)

// Put writes the table into a first sector and leaves the boot code before it.
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

// Parse reads a disk's first sector. Partitions that overlap, or contain the table itself, are an error.
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

// end is the first sector after the partition.
func (p Partition) end() uint64 { return uint64(p.Start) + uint64(p.Count) }

// Grow lets the last partition (of index last) reach to the end of a disk of that many sectors, in whole MiB. It
// reports whether that changed anything: a partition that is not the last on the disk stays, and none shrinks.
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
