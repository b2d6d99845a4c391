// SPDX-License-Identifier: Apache-2.0

package disk

import (
	"bytes"
	"crypto/sha256"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

func table() Table {
	return Table{ID: 0x1234ABCD, Parts: [4]Partition{{kindFAT, 8192, 131072}, {kindLinux, 139264, 409600}, {kindLinux, 548864, 499712}}}
}

func TestTableRefusals(t *testing.T) {
	good := make([]byte, SectorSize)
	tab := table()
	tab.Put(good)
	for name, spoil := range map[string]func(*Table){
		"overlap":     func(t *Table) { t.Parts[1].Start-- },
		"on itself":   func(t *Table) { t.Parts[0].Start = 0 },
		"empty":       func(t *Table) { t.Parts[2].Count = 0 },
		"beyond":      func(t *Table) { t.Parts[2].Count = 1<<32 - 1 },
		"one in two":  func(t *Table) { t.Parts[3] = Partition{kindLinux, 600000, 1} },
		"one in four": func(t *Table) { t.Parts[3] = Partition{kindLinux, 8192, 1} },
	} {
		tab, sector := table(), make([]byte, SectorSize)
		spoil(&tab)
		tab.Put(sector)
		if _, err := Parse(sector); !errors.Is(err, ErrTable) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, sector := range map[string][]byte{"none": nil, "short": good[:511], "zeros": make([]byte, 512)} {
		if _, err := Parse(sector); !errors.Is(err, ErrTable) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestGrow(t *testing.T) {
	for _, c := range []struct {
		sectors uint64
		last    int
		end     uint64 // of the partition afterwards
		grown   bool
	}{
		{1048576, 2, 1048576, false}, {1048577, 2, 1048576, false}, {1000, 2, 1048576, false}, {1050624, 2, 1050624, true},
		{62521344 + 5, 2, 62521344, true}, {1 << 40, 2, 1<<32 - 2048, true}, {62521344, 1, 548864, false}, {62521344, 3, 0, false},
	} {
		tab := table()
		grown := tab.Grow(c.last, c.sectors)
		if end := tab.Parts[c.last].end(); grown != c.grown || end != c.end {
			t.Errorf("%d sectors, partition %d: %t, end %d; want %t, %d", c.sectors, c.last, grown, end, c.grown, c.end)
		}
		sector := make([]byte, SectorSize)
		tab.Put(sector)
		if again, err := Parse(sector); err != nil || again != tab {
			t.Errorf("%d sectors: %v", c.sectors, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	sector, tab := make([]byte, SectorSize), table()
	tab.Put(sector)
	f.Add(sector)
	f.Fuzz(func(t *testing.T, data []byte) {
		tab, err := Parse(data)
		if err != nil {
			return
		}
		again := slices.Clone(data[:SectorSize])
		tab.Put(again)
		if got, err := Parse(again); err != nil || got != tab {
			t.Errorf("%+v, then %+v, %v", tab, got, err)
		}
		tab.Grow(2, 1<<33)
	})
}

// bmap is the file as its readers have it.
type bmap struct {
	ImageSize, BlockSize, BlocksCount, MappedBlocksCount int64
	BmapFileChecksum                                     string
	BlockMap                                             struct {
		Range []struct {
			Sum  string `xml:"chksum,attr"`
			Span string `xml:",chardata"`
		}
	}
}

func TestBmap(t *testing.T) {
	image := make([]byte, 10*4096+100)
	for i := range image {
		image[i] = byte(i / 4096)
	}
	var b strings.Builder
	mapped, err := Bmap(&b, bytes.NewReader(image), int64(len(image)), []Extent{{0, 512}, {4096 * 2, 4097}, {4096 * 4, 1}, {4096 * 6, 0}, {4096 * 9, 9999}})
	if err != nil || mapped != 6*4096 {
		t.Fatalf("%d, %v", mapped, err)
	}
	var m bmap
	if err := xml.Unmarshal([]byte(b.String()), &m); err != nil {
		t.Fatal(err)
	}
	if m.ImageSize != int64(len(image)) || m.BlockSize != 4096 || m.BlocksCount != 11 || m.MappedBlocksCount != 6 || len(m.BlockMap.Range) != 3 {
		t.Fatalf("%+v", m)
	}
	for i, want := range []struct {
		span     string
		from, to int
	}{{"0", 0, 4096}, {"2-4", 8192, 20480}, {"9-10", 36864, len(image)}} {
		if r := m.BlockMap.Range[i]; r.Span != want.span || r.Sum != fmt.Sprintf("%x", sha256.Sum256(image[want.from:want.to])) {
			t.Errorf("%+v, want %+v", r, want)
		}
	}
	blank := strings.Replace(b.String(), m.BmapFileChecksum, strings.Repeat("0", 64), 1)
	if sum := fmt.Sprintf("%x", sha256.Sum256([]byte(blank))); sum != m.BmapFileChecksum {
		t.Errorf("%s, want %s", m.BmapFileChecksum, sum)
	}
	if _, err := Bmap(&b, bytes.NewReader(nil), -1, []Extent{{0, -1}}); err != nil {
		t.Error(err)
	}
}

const report = `Filesystem volume name:   epuck-data
Block count:              1000
Free blocks:              37
Block size:               4096

Group 0: (Blocks 0-499)
  Free blocks: 20-29, 40
Group 1: (Blocks 500-999)
  Free blocks: 
Group 2:
  Free blocks: 990-999
`

func TestUsed(t *testing.T) {
	used, err := Used(report)
	want := []Extent{{0, 20 * 4096}, {30 * 4096, 10 * 4096}, {41 * 4096, 949 * 4096}, {1000 * 4096, 0}}
	if err != nil || !slices.Equal(used, want) {
		t.Errorf("%v, %v", used, err)
	}
	for _, bad := range []string{"", "Block count: 5", strings.Replace(report, "20-29", "29-20", 1), strings.Replace(report, "990-999", "5", 1),
		strings.Replace(report, "990-999", "990-1000", 1), strings.Replace(report, "20-29", "x", 1), strings.Replace(report, "20-29", "20-x", 1)} {
		if used, err := Used(bad); !errors.Is(err, ErrReport) {
			t.Errorf("%v, %v", used, err)
		}
	}
}

// The archive holds what was put in, as another program reads it where there is one.
func TestCPIO(t *testing.T) {
	var a, b bytes.Buffer
	entries := []Entry{{"modules", 0o40755, nil}, {"modules/1", 0o100644, []byte("abc")}, {"init", 0o100755, []byte("#!x\n\x00")}}
	for _, w := range []*bytes.Buffer{&a, &b} {
		if err := WriteCPIO(w, entries); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(a.Bytes(), b.Bytes()) || a.Len()%4 != 0 || !bytes.Contains(a.Bytes(), []byte("TRAILER!!!")) {
		t.Errorf("% x", a.Bytes())
	}
	if got := a.String()[:120]; got != "070701"+"00000001"+"000041ED"+"00000000"+"00000000"+"00000001"+"00000000"+"00000000"+"00000000"+"00000000"+"00000000"+"00000000"+"00000008"+"00000000"+"modules\x00\x00\x00" {
		t.Errorf("%q", got)
	}
	if err := WriteCPIO(broken{}, entries); err == nil {
		t.Error("a writer's error is lost")
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, os.ErrClosed }
