// SPDX-License-Identifier: Apache-2.0

package camsensor

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"time"

	pi2c "periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/i2c/i2ctest"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func at(ms int) time.Time { return epoch.Add(time.Duration(ms) * time.Millisecond) }

func mustNew(t testing.TB, bus pi2c.Bus, opts *Opts) *Dev {
	t.Helper()
	d, err := New(bus, opts)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// record parses transactions: "w12 80" writes, "r76" reads, with an address before each line: "21: w0A r76".
func record(t testing.TB, text string) (ops []i2ctest.IO) {
	t.Helper()
	for line := range strings.Lines(text) {
		addr, rest, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok {
			continue
		}
		var a uint16
		if _, err := fmt.Sscanf(addr, "%x", &a); err != nil {
			t.Fatal(err)
		}
		for _, word := range strings.Fields(rest) {
			p, err := hex.DecodeString(word[1:])
			if err != nil {
				t.Fatal(err)
			}
			op := i2ctest.IO{Addr: a}
			if word[0] == 'w' {
				op.W = p
			} else {
				op.R = p
			}
			ops = append(ops, op)
		}
	}
	return ops
}
