// SPDX-License-Identifier: Apache-2.0

package tty

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/fixtures"
)

// A reader that does not read is not waited for. When it continues it gets the queued text, the number of dropped
// lines, and of the status only the latest.
func TestOutletNeverBlocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reader := &fixtures.SlowReader{Free: make(chan struct{})}
		o := NewOutlet(reader)
		line := []byte(strings.Repeat("x", 1023) + "\n")
		_, _ = o.Write(line)
		synctest.Wait() // it is on its way
		for range outletCapacity/len(line) + 7 {
			_, _ = o.Write(line)
		}
		o.Replace("old")
		o.Replace("new")
		close(reader.Free)
		synctest.Wait()
		_, _ = o.Write([]byte("later\n"))
		o.Close()
		got := reader.Got.String()
		if n := strings.Count(got, string(line)); n != outletCapacity/len(line)+1 {
			t.Errorf("%d lines", n)
		}
		if end := got[strings.LastIndex(got, "x\n")+2:]; end != "epuck-driver: 7 lines were dropped: this terminal, pipe or journal did not take them\nnewlater\n" {
			t.Errorf("it ends with %q", end)
		}
	})
}

// Nor does the end of the program.
func TestOutletCloseReturnsWhenWriterBlocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reader := &fixtures.SlowReader{Free: make(chan struct{})}
		o := NewOutlet(reader)
		_, _ = o.Write([]byte("line\n"))
		began := time.Now()
		o.Close()
		if took := time.Since(began); took != CloseTimeout {
			t.Errorf("it took %v", took)
		}
		if n, err := o.Write([]byte("after the end\n")); n != 14 || err != nil {
			t.Errorf("%d, %v", n, err)
		}
		close(reader.Free)
	})
}
