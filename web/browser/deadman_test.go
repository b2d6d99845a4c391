// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package browser

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// drives takes control and holds the up arrow until the robot moves.
func (r *rig) drives() {
	r.Helper()
	r.take()
	r.hold("the robot moves", r.moves, "ArrowUp")
}

// halts waits until the robot has stopped, without a request to the browser, and logs how long that took.
func (r *rig) halts(after string) {
	r.Helper()
	begun := time.Now()
	r.await("the robot stops after "+after, r.stopped)
	r.Logf("the wheels stop %v after %s", time.Since(begun).Round(time.Millisecond), after)
}

// processes returns the browser's processes.
func (r *rig) processes() (all []int) {
	r.Helper()
	pid, _ := r.do(`return browser.process().pid`).(float64)
	all = []int{int(pid)}
	entries, err := os.ReadDir("/proc")
	r.must(err)
	for range entries { // a child may come before its parent in the list
		found := len(all)
		for _, e := range entries {
			if pid, err := strconv.Atoi(e.Name()); err == nil && !slices.Contains(all, pid) && slices.Contains(all, parent(pid)) {
				all = append(all, pid)
			}
		}
		if len(all) == found {
			break
		}
	}
	return all
}

// parent returns a process's parent, 0 if the process has ended.
func parent(pid int) int {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:])) // a name may hold anything
	ppid, _ := strconv.Atoi(fields[1])
	return ppid
}

// freeze stops all processes of the browser until thaw is called.
func (r *rig) freeze() (thaw func()) {
	r.Helper()
	all := r.processes()
	if len(all) < 3 {
		r.Fatalf("processes of the browser: %v", all)
	}
	signal := func(s syscall.Signal) {
		for _, pid := range all {
			_ = syscall.Kill(pid, s) // one may have ended
		}
	}
	thaw = func() { signal(syscall.SIGCONT) }
	r.Cleanup(thaw)
	signal(syscall.SIGSTOP)
	return thaw
}

// pause waits, for tests that something does not happen meanwhile.
func pause(d time.Duration) { <-time.After(d) }

// TestFrozenBrowserStopsRobot: the robot stops when all processes of the browser are stopped during a drive. When the
// browser continues, the key that it still considers pressed does not drive.
func TestFrozenBrowserStopsRobot(t *testing.T) {
	r := newRig(t, options{world: "plane"})
	r.drives()
	thaw := r.freeze()
	r.halts("the browser froze")
	pause(1500 * time.Millisecond) // longer than the page takes for a moment's stutter
	where := r.robot.Pose()
	thaw()
	r.until("the page has released all keys", func() bool { return strings.HasPrefix(r.text("#speed"), "0.00 m/s") })
	if now := r.robot.Pose(); now != where || !r.stopped() {
		t.Errorf("the robot moved after the browser continued: from %v to %v", where, now)
	}
}

// TestDelayedCommandsAreNotExecuted: the network delays the page's commands, and the page's computer stops. When the
// network delivers all at once, the robot does not move.
func TestDelayedCommandsAreNotExecuted(t *testing.T) {
	r := newRig(t, options{world: "plane"})
	r.drives()
	release := r.wire.hold()
	r.halts("the network delayed all commands")
	where := r.robot.Pose()
	r.do(`await sleep(1500)`) // thirty commands
	thaw := r.freeze()
	pause(time.Second) // the latest command is old, too
	release()
	pause(time.Second) // all commands have arrived and been processed
	if now := r.robot.Pose(); now != where {
		t.Errorf("the robot executed delayed commands: it moved from %v to %v", where, now)
	}
	thaw()
	r.until("the page has released all keys", func() bool { return strings.HasPrefix(r.text("#speed"), "0.00 m/s") })
}

// TestClocksJump: setting back the clock of the page's computer has no effect. When it is set forward by an hour, or
// the computer has slept, pressed keys count as released.
func TestClocksJump(t *testing.T) {
	r := newServer(t, options{world: "plane"})
	r.browse()
	r.do(`await page.evaluateOnNewDocument(() => {
		window.wall = 0; window.run = 0;
		const now = Date.now.bind(Date), counted = performance.now.bind(performance);
		Date.now = () => now() + window.wall;
		performance.now = () => counted() + window.run; })`)
	r.open(1280, 900, false)
	r.drives()
	r.do(`await page.evaluate(() => { window.wall = -3600000; }); await sleep(300)`)
	r.until("the robot still moves", r.moves)
	for _, jump := range []string{"wall = 0", "wall = 3600000", "run = 60000"} {
		r.do(`await page.evaluate(() => { window.%s; })`, jump)
		r.halts("a jump of the clock")
		r.do(`await page.keyboard.up("ArrowUp"); await page.keyboard.down("ArrowUp")`)
		r.until("it drives again after "+jump, r.moves)
	}
	r.clean()
}

// TestHiddenTabStops: the robot stops when the page is hidden, frozen or loses the focus, and at a Meta key, after
// which macOS sends no key releases.
func TestHiddenTabStops(t *testing.T) {
	r := newRig(t, options{world: "plane"})
	r.take()
	for _, end := range []string{
		`Object.defineProperty(document, "hidden", { get: () => window.veiled, configurable: true });
			window.veiled = true; document.dispatchEvent(new Event("visibilitychange")); window.veiled = false; document.dispatchEvent(new Event("visibilitychange"))`,
		`dispatchEvent(new Event("freeze"))`, `dispatchEvent(new Event("blur"))`,
		`dispatchEvent(new KeyboardEvent("keydown", { key: "Meta", metaKey: true }))`,
	} {
		r.do(`await page.keyboard.up("ArrowUp"); await page.focus("#pad"); await page.keyboard.down("ArrowUp")`)
		r.until("the robot moves", r.moves)
		r.do(`await page.evaluate(() => { %s; })`, end)
		r.halts(end[:20])
	}
	r.clean()
}
