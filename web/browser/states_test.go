// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package browser

import (
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/web"
)

// data returns a value that the map's canvas has for tests.
func (r *rig) data(name string) string {
	r.Helper()
	s, _ := r.do(`return page.$eval("#map", (e, n) => e.dataset[n] ?? "", %q)`, name).(string)
	return s
}

// TestSilentPausedAndRestarted: the page says that a stopped program is silent and for how long, and shows what it
// knows as old; that a simulation is paused, which is no silence; that a killed program is gone; and it draws no trail
// between the robot before and after a restart.
func TestSilentPausedAndRestarted(t *testing.T) {
	truth := filepath.Join(t.TempDir(), "truth.json")
	s := newStarted(t, "--world", "plane", "--truth", truth)
	s.truth = truth
	s.open(1280, 1900, false) // all panels are in sight
	s.tab("sensors")
	state := func(text string) func() bool {
		return func() bool { return strings.HasPrefix(s.text("#state"), text) }
	}
	stale := func() bool { return s.do(`return page.$eval("#camera", (e) => e.classList.contains("stale"))`) == true }
	s.until("the values are new", func() bool { return s.text("#sensors-ages") == "All values are new" })
	s.must(s.cmd.Process.Signal(unix.SIGSTOP))
	s.until("it is silent", state("Robot silent for "))
	s.until("all that is shown is old", func() bool {
		return s.data("silent") == "1" && strings.Contains(s.text("#pose"), "s ago") && strings.HasPrefix(s.text("#sensors-ages"), "All values are old") &&
			strings.HasPrefix(s.text("#camera-note"), "No picture for") && stale()
	})
	s.accessible("a silent robot")
	s.must(s.cmd.Process.Signal(unix.SIGCONT))
	s.until("it is heard again", func() bool { return s.text("#state") == "Connected" && s.data("silent") == "0" && !stale() })

	s.press("sim-pause")
	s.until("time is paused", state("Simulation paused"))
	s.do(`await sleep(2000)`)
	if s.text("#state") != "Simulation paused" || s.data("silent") != "0" {
		t.Errorf("a paused robot counts as silent: %s", s.text("#state"))
	}
	s.press("sim-pause")
	s.until("time continues", state("Connected"))

	s.take()
	s.hold("it has driven a way", func() bool { return s.record().X > 0.25 && len(s.data("trail")) > 1 }, "ArrowUp")
	s.do(`await page.keyboard.up("ArrowUp")`)
	address, err := url.Parse(s.url)
	s.must(err)
	s.must(s.cmd.Process.Kill())
	_ = s.cmd.Wait()
	s.until("it is gone", state("No connection for "))
	s.again(address.Host)
	s.until("it is back, without the old trail", func() bool {
		return s.text("#state") == "Connected" && s.record().X < 0.05 && len(s.data("trail")) == 1 && s.data("trail") != "0"
	})
	s.do(`problems.length = 0`) // the connection was refused meanwhile
	s.end()
}

// TestNoRobotYet: before a robot is there the page says that it connects, then how to start a robot, and in which
// domain.
func TestNoRobotYet(t *testing.T) {
	needBrowser(t)
	r := &rig{TB: t}
	ether := ros2test.NewNetwork()
	var err error
	r.site, err = web.New(web.Config{Address: "localhost:0", Transport: ether.NewTransport(), Types: msgs.Definition, Domain: "42"})
	r.must(err)
	ended := make(chan error, 1)
	go func() { ended <- r.site.Serve(t.Context()) }()
	t.Cleanup(func() {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	r.wire = newWire(t, r.site.Address().String())
	r.url = "http://localhost:" + r.wire.port
	r.browse()
	r.do(`await page.evaluateOnNewDocument(() => new MutationObserver(() => { window.begun ??= document.getElementById("state")?.textContent; }).observe(document, { childList: true, subtree: true }))`)
	for _, width := range []int{1280, 390} {
		r.do(`await page.setViewport({ width: %d, height: 844 }); await page.goto(%q)`, width, r.url)
		if begun := r.do(`return page.evaluate(() => window.begun)`); begun != "Connecting …" {
			t.Errorf("the page began with %v", begun)
		}
		r.until("it says what to do", func() bool {
			return r.do(`return page.$eval("#none", (e) => !e.hidden)`) == true && strings.Contains(r.text("#none"), "ROS_DOMAIN_ID=42")
		})
		if s := r.text("#state"); s != "Connected, no robot yet" {
			t.Error(s)
		}
		r.accessible("no robot yet")
	}
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "robot", Transport: ether.NewTransport()})
	r.must(err)
	defer func() { r.must(node.Close()) }()
	_, err = ros2.NewPublisher[nav_msgs.Odometry](node, "odom", ros2.DefaultQoS())
	r.must(err)
	r.until("the robot is there", func() bool {
		return r.text("#state") == "Connected" && r.do(`return page.$eval("#none", (e) => e.hidden)`) == true
	})
	r.clean()
}
