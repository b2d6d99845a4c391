// SPDX-License-Identifier: Apache-2.0

package driving

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/teleop"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/tty"
)

// TestTeleopStatusFitsTheTerminal: the longest status does not wrap on 80 columns, the width of what is no terminal.
func TestTeleopStatusFitsTheTerminal(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	keys := &input{pilot: teleop.NewPilot()}
	keys.pilot.Speed, keys.pilot.Turn = 0.139, 2.61
	v := &teleopView{v: -0.139, w: -2.61, moved: true, voltage: 3.98, ranges: map[string]float64{"tof": 1.987, "ps0": 0.061}}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := errors.Join(v.show(ctx, w, keys), w.Close()); err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(r)
	if err := errors.Join(err, r.Close()); err != nil {
		t.Fatal(err)
	}
	line, ended := strings.CutSuffix(strings.TrimPrefix(string(out), tty.ClearLine), "\n")
	if n := utf8.RuneCountInString(line); n > 79 || !ended || !strings.HasSuffix(line, "3.98 V") {
		t.Errorf("%d characters: %q", n, out)
	}
	if cut := tty.Fit(w, line+" and more"); utf8.RuneCountInString(cut) != 79 || !strings.HasPrefix(cut, line) {
		t.Errorf("cut to %q", cut)
	}
}
