// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package browser

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

const (
	// soakEnv is how long TestSoak lasts, as in 30m; without it soakTime.
	soakEnv  = "EPUCK_SOAK"
	soakTime = 150 * time.Second
	// pageGrowth and programGrowth are how much more the second half of a soak may need than the first, bytes. What is
	// kept for a while, such as trails, plots and log lines, fills up in the first.
	pageGrowth    = 1 << 20
	programGrowth = 4 << 20
)

// TestSoak: a page that is open for long with everything in sight in turn, of a robot that drives, at 20 Hz, lets
// neither the page's memory nor the program's grow.
func TestSoak(t *testing.T) {
	if !suite.Long {
		t.Skip("minutes long: make test-long has it")
	}
	length := soakTime
	if text := os.Getenv(soakEnv); text != "" {
		var err error
		if length, err = time.ParseDuration(text); err != nil {
			t.Fatal(soakEnv, err)
		}
	}
	s := newStarted(t)
	s.open(1280, 900, false)
	drive := exec.Command(s.cmd.Path, "drive", "0.03", "0.6", "--for", (length + time.Hour).String())
	drive.Env = s.cmd.Env
	s.must(drive.Start())
	t.Cleanup(func() { _ = drive.Process.Kill(); _ = drive.Wait() })
	s.do(`globalThis.cdp = await page.createCDPSession(); await cdp.send("HeapProfiler.enable")`)
	var pages, programs []float64
	begun := time.Now()
	for i := 0; time.Since(begun) < length; i++ {
		s.do(`await page.evaluate((i) => { const tabs = document.querySelectorAll("[role=tab]"); tabs[i %% tabs.length].click(); }, %d)`, i)
		s.do(`await sleep(5000)`)
		heap, _ := s.do(`await cdp.send("HeapProfiler.collectGarbage"); return (await cdp.send("Runtime.getHeapUsage")).usedSize`).(float64)
		pages, programs = append(pages, heap), append(programs, s.resident())
	}
	shown := s.do(`return page.$eval("#camera", (c) => Number(c.dataset.shown))`)
	half := len(pages) / 2
	report := func(what string, v []float64, limit float64) {
		first, second := slices.Sorted(slices.Values(v[half/2:half])), slices.Sorted(slices.Values(v[half:]))
		was, is := first[len(first)/2], second[len(second)/2]
		fmt.Printf("%s after %v: %.2f MB, in the second quarter %.2f MB, at most %.2f MB\n", what, time.Since(begun).Round(time.Second), is/1e6, was/1e6, slices.Max(v)/1e6)
		if is > was+limit {
			t.Errorf("%s grows from %.2f to %.2f MB", what, was/1e6, is/1e6)
		}
	}
	report("page (JavaScript's heap)", pages, pageGrowth)
	report("program (resident)", programs, programGrowth)
	fmt.Printf("%.0f camera pictures shown\n", shown)
	s.clean()
	s.end()
}

// resident is the program's memory, bytes.
func (s *started) resident() float64 {
	s.Helper()
	statm, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", s.cmd.Process.Pid))
	s.must(err)
	pages, err := strconv.ParseFloat(string(bytes.Fields(statm)[1]), 64)
	s.must(err)
	return pages * float64(os.Getpagesize())
}
