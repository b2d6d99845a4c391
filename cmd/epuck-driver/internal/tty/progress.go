// SPDX-License-Identifier: Apache-2.0

package tty

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/epuck-ros2/epuck-driver/internal/printable"
)

// Progress shows the progress of a long task, only on a terminal.
type Progress struct {
	W     io.Writer // nil: not a terminal
	width int
}

// NewProgress returns a progress bar on w, which shows nothing if w is not a terminal.
func NewProgress(w io.Writer) *Progress {
	if f, ok := File(w); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			return &Progress{W: f}
		}
	}
	return &Progress{}
}

// Show draws the bar for a share from 0 to 1, with a text.
func (b *Progress) Show(share float64, text string) {
	if b.W == nil {
		return
	}
	const bars = 30
	n := int(max(0, min(1, share)) * bars)
	line := fmt.Sprintf("[%s%s] %3.0f %% %s", strings.Repeat("#", n), strings.Repeat(" ", bars-n), share*100, printable.Line(text))
	fmt.Fprintf(b.W, "\r%-*s", b.width, line)
	b.width = len(line)
}

// End removes the bar.
func (b *Progress) End() {
	if b.W != nil && b.width > 0 {
		fmt.Fprintf(b.W, "\r%*s\r", b.width, "")
	}
}
