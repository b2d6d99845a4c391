// SPDX-License-Identifier: Apache-2.0

package sheet_test

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/calibration/chess"
	"github.com/epuck-ros2/epuck-driver/calibration/sheet"
)

var boards = []chess.Board{{Cols: 9, Rows: 6, Square: 0.024}, {Cols: 13, Rows: 9, Square: 0.02, Marked: true}, {Cols: 11, Rows: 8, Square: 0.03, Marked: true}}

// TestPDF: the cross-reference table points at the objects, and the stream is as long as it says.
func TestPDF(t *testing.T) {
	for _, p := range []*sheet.Page{sheet.Wheels(), sheet.Scatter("field (µT)", [][2]float64{{1, 2}}, [][2]float64{{0, 1}}, "µT")} {
		var out bytes.Buffer
		if err := p.PDF(&out); err != nil {
			t.Fatal(err)
		}
		s := out.String()
		start := regexp.MustCompile(`startxref\n(\d+)\n%%EOF\n$`).FindStringSubmatch(s)
		if start == nil {
			t.Fatal("no end")
		}
		at, _ := strconv.Atoi(start[1])
		if !strings.HasPrefix(s[at:], "xref\n0 6\n") {
			t.Errorf("xref at %d: %q", at, s[at:at+10])
		}
		for i, m := range regexp.MustCompile(`(\d{10}) 00000 n`).FindAllStringSubmatch(s[at:], -1) {
			off, _ := strconv.Atoi(m[1])
			if !strings.HasPrefix(s[off:], fmt.Sprintf("%d 0 obj", i+1)) {
				t.Errorf("object %d is not at %d", i+1, off)
			}
		}
		m := regexp.MustCompile(`(?s)/Length (\d+) >>\nstream\n(.*)\nendstream`).FindStringSubmatch(s)
		if n, _ := strconv.Atoi(m[1]); n != len(m[2]) {
			t.Errorf("a stream of %d bytes says %d", len(m[2]), n)
		}
	}
}

func TestTooLarge(t *testing.T) {
	if _, err := sheet.Board(chess.Board{Cols: 20, Rows: 9, Square: 0.03}); !errors.Is(err, sheet.ErrPage) {
		t.Error(err)
	}
	if _, err := sheet.Board(chess.Board{}); !errors.Is(err, chess.ErrBoard) {
		t.Error(err)
	}
}

func ExampleBoard() {
	page, err := sheet.Board(chess.Board{Cols: 9, Rows: 6, Square: 0.024})
	fmt.Println(page.Width, page.Height, err)
	// Output: 297 210 <nil>
}
