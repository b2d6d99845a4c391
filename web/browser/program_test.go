// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package browser

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/sim/groundtruth"
)

// started is the program, started as by a user, and a browser.
type started struct {
	*rig
	cmd   *exec.Cmd
	truth string // file
	begun time.Time
	shown time.Duration        // until the address of the page was printed
	again func(address string) // starts the program once more
}

// build builds the program.
func build(t testing.TB) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "epuck-driver")
	cmd := exec.Command("go", "build", "-trimpath", "-o", file, "github.com/epuck-ros2/epuck-driver/cmd/epuck-driver")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return file
}

// newStarted builds the program, starts a browser, and then the program in a ROS domain of its own.
func newStarted(t testing.TB, args ...string) *started {
	t.Helper()
	needBrowser(t)
	program := build(t)
	s := &started{rig: &rig{TB: t}, truth: filepath.Join(t.TempDir(), "truth.json")}
	s.browse()
	s.do(`await page.setViewport({width: 1280, height: 900}); await page.goto("about:blank")`)
	s.again = func(address string) {
		t.Helper()
		s.start(exec.Command(program, append([]string{"sim", "--web=" + address}, args...)...))
	}
	s.again("localhost:0")
	return s
}

// start starts the program and waits until it says where the page is.
func (s *started) start(cmd *exec.Cmd) {
	s.Helper()
	s.cmd = cmd
	cmd.Env = append(os.Environ(), "ROS_DOMAIN_ID="+strconv.Itoa(100+os.Getpid()%100), "ROS_HOME="+s.TempDir())
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	s.must(err)
	s.begun = time.Now()
	s.must(cmd.Start())
	s.Cleanup(func() { _ = cmd.Process.Kill() })
	s.url = ""
	lines := bufio.NewScanner(out)
	for s.url == "" && lines.Scan() {
		_, s.url, _ = strings.Cut(lines.Text(), "Look and drive: ")
	}
	s.shown = time.Since(s.begun)
}

// end interrupts the program, also while its time is paused. On an overloaded machine it may end itself
// with an error (TestPausedSimulationEnds is about order).
func (s *started) end() {
	s.Helper()
	s.must(s.cmd.Process.Signal(unix.SIGINT))
	if err := s.cmd.Wait(); err != nil {
		s.Errorf("the program did not end in order: %v", err)
	}
}

// record returns the robot's true state.
func (s *started) record() (r groundtruth.Record) {
	s.Helper()
	data, err := os.ReadFile(s.truth)
	s.must(err)
	s.must(json.Unmarshal(data, &r))
	return r // of the world's frame
}

// clock returns the simulated time that the page shows, in s.
func (s *started) clock() float64 {
	s.Helper()
	text, _ := s.do(`return page.$eval("#sim-time", (e) => e.dataset.seconds ?? "")`).(string)
	v, _ := strconv.ParseFloat(text, 64)
	return v
}

// setSpeed enters a speed.
func (s *started) setSpeed(v string) {
	s.Helper()
	s.do(`await page.$eval("#sim-speed", (e, v) => { e.value = v; e.dispatchEvent(new Event("change")); }, %q)`, v)
}

// rate returns the real-time factor.
func (s *started) rate() float64 {
	s.Helper()
	from, begun := s.clock(), time.Now()
	s.do(`await sleep(1000)`)
	return (s.clock() - from) / time.Since(begun).Seconds()
}

// TestPauseAndStepOneRobot: one robot with its driver, as make sim starts it, is paused while it drives, steps,
// and continues at another speed and in real time; while paused it ends cleanly.
func TestPauseAndStepOneRobot(t *testing.T) {
	truth := filepath.Join(t.TempDir(), "truth.json")
	s := newStarted(t, "--world", "plane", "--truth", truth)
	s.truth = truth
	s.open(1280, 900, false)
	s.take()
	s.hold("the robot drives", func() bool { return s.record().Moving }, "ArrowUp")
	s.press("sim-pause")
	s.until("time is paused", func() bool { return s.text("#sim-pause") == "Run" && s.rate() == 0 })
	before, at := s.record(), s.clock()
	s.press("sim-step")
	s.until("a step of 0.1 s", func() bool { return s.clock() > at })
	if d := s.clock() - at; d < 0.099 || d > 0.101 {
		t.Errorf("a step of %.3f s", d)
	}
	s.until("the step is in the file of true states", func() bool { return s.record().Time > before.Time+0.5 })
	if now := s.record(); now.X-before.X > 0.1*0.13 { // the wheels' maximum in a step
		t.Errorf("time is paused, and the robot moves from %.3f to %.3f m", before.X, now.X)
	}
	s.until("the page describes the simulation", func() bool { return strings.Contains(s.text("#sim-about"), "Steps are of 10 ms") })
	s.do(`await page.keyboard.up("ArrowUp")`)
	s.press("sim-pause")
	s.until("time continues", func() bool { return s.text("#sim-pause") == "Pause" && s.rate() > 0.3 })
	s.setSpeed("4")
	s.until("it is faster", func() bool { return s.rate() > 1.5 })
	s.setSpeed("1")
	s.until("the wheels stop", func() bool { return !s.record().Moving })
	s.press("sim-pause")
	s.until("time is paused again", func() bool { return s.text("#sim-pause") == "Run" && s.rate() == 0 })
	s.clean()
	s.end()
}

// TestFromStartToMovingPicture prints how long a user waits after make sim, in an open browser: for the page, for
// successive pictures of the camera, and for the robot to move on the page. The times depend on the machine and decide
// nothing; docs/explanation/performance.md has them.
func TestFromStartToMovingPicture(t *testing.T) {
	s := newStarted(t)
	s.do(`await page.evaluateOnNewDocument(() => { window.drawn = []; const draw = CanvasRenderingContext2D.prototype.drawImage;
		CanvasRenderingContext2D.prototype.drawImage = function (...a) { if (this.canvas.id === "camera") window.drawn.push(Date.now()); return draw.apply(this, a); }; })`)
	at := func(ms any) time.Duration {
		v, _ := ms.(float64)
		return time.UnixMilli(int64(v)).Sub(s.begun).Round(time.Millisecond)
	}
	moved := s.do(`await page.goto(%q); await page.waitForFunction(() => document.getElementById("pose")?.textContent.startsWith("e"), { polling: 10 });
		await page.evaluate(() => { window.take0 = document.getElementById("pose").textContent; document.getElementById("take").click(); });
		await page.waitForFunction(() => document.getElementById("driver").textContent.startsWith("You drive"), { polling: 10 });
		await page.focus("#pad"); await page.keyboard.down("ArrowUp");
		return page.evaluate(() => new Promise((done) => { const look = () => document.getElementById("pose").textContent !== window.take0 ? done(Date.now()) : setTimeout(look, 5); look(); }))`, s.url)
	s.do(`await page.keyboard.up("ArrowUp")`)
	s.until("pictures follow each other", func() bool { return s.do(`return page.evaluate(() => window.drawn.length >= 2)`) == true })
	second := s.do(`return page.evaluate(() => window.drawn[1])`)
	fmt.Printf("from the start of the program: address %v, second camera picture %v, robot moved on the page %v\n",
		s.shown.Round(time.Millisecond), at(second), at(moved))
	s.end()
}
