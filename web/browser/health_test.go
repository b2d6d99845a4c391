// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package browser

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/diagnostic_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// TestDiagnosticsPanel: components are listed with the worst first, each with its statuses and the changes of their
// levels; those that end are stale; texts of the network are text.
func TestDiagnosticsPanel(t *testing.T) {
	r := newRig(t, options{})
	pub, err := ros2.NewPublisher[diagnostic_msgs.DiagnosticArray](r.node, "/diagnostics", ros2.DefaultQoS())
	r.must(err)
	say := func(level uint8, message string) {
		r.must(pub.Publish(&diagnostic_msgs.DiagnosticArray{Status: []diagnostic_msgs.DiagnosticStatus{
			{Level: diagnostic_msgs.DiagnosticStatusOK, Name: "arm: elbow", Message: "bends"},
			{Level: level, Name: "arm: " + hostile, Message: message, HardwareID: hostile, Values: []diagnostic_msgs.KeyValue{{Key: hostile, Value: hostile}}},
		}}))
	}
	first := func() string {
		s, _ := r.do(`return page.evaluate(() => { const c = document.querySelector("#diagnostics > .component"); return c ? c.dataset.component + " " + c.dataset.level : ""; })`).(string)
		return s
	}
	r.tab("diagnostics")
	r.until("the driver has statuses", func() bool { return strings.Contains(r.text("#diagnostics"), "epuck_driver") })
	for _, c := range []struct {
		level uint8
		shown string
	}{{diagnostic_msgs.DiagnosticStatusError, "arm 2"}, {diagnostic_msgs.DiagnosticStatusWarn, "arm 1"}, {diagnostic_msgs.DiagnosticStatusError, "arm 2"}} {
		r.until("the arm comes first: "+c.shown, func() bool {
			say(c.level, "at "+c.shown)
			return first() == c.shown
		})
	}
	r.until("all changes are there, the last one first", func() bool {
		return r.do(`return page.$$eval('[data-component="arm"] [data-status^="<img"] .changes li', (all) => all.map((e) => e.textContent.replace(/.* /, "")).join())`) == "2,1,2"
	})
	r.until("the timeline has an error", func() bool {
		return r.do(`return page.$$eval('[data-component="arm"] .timeline [data-level="2"]', (all) => all.length > 0)`) == true
	})
	r.change("#diagnostics-least", "1")
	r.until("only what is not OK is listed", func() bool { return !strings.Contains(r.text("#diagnostics"), "elbow") })
	r.change("#diagnostics-least", "0")
	for _, width := range []int{1280, 390} {
		r.do(`await page.setViewport({ width: %d, height: 844 })`, width)
		r.tab("diagnostics")
		r.accessible(fmt.Sprintf("diagnostics with an error, %d px", width))
	}
	r.until("it is stale once nothing arrives", func() bool { return first() == "arm 3" })
	r.attacked()
	r.clean()
}

// TestLogPanel: lines that were logged before the page was opened are shown, with ms, and those of a level, a node and
// a text alone.
func TestLogPanel(t *testing.T) {
	r := newServer(t, options{standard: true})
	subscribed := func() bool {
		for _, e := range ros2.EndpointsOn(r.transport, "/rosout") {
			if e.Kind == ros2.SubscriptionEndpoint && e.QoS.Durability == ros2.TransientLocal {
				return true
			}
		}
		return false
	}
	r.await("the server keeps the log", subscribed)
	log := r.node.Logger()
	log.Info("before the page")
	log.Warn("a warning " + hostile)
	r.browse()
	r.open(390, 844, true)
	r.tab("log")
	lines := func() string {
		s, _ := r.do(`return page.$$eval("#log li", (all) => all.filter((e) => e.querySelector(".who").textContent === "other").map((e) => e.querySelector("b").textContent + " " + e.lastChild.textContent.trim()).join("; "))`).(string)
		return s
	}
	r.until("both lines are there", func() bool { return lines() == "Info before the page; Warn a warning "+hostile })
	if r.do(`return page.$$eval("#log time", (all) => all.every((e) => /^\d\d:\d\d:\d\d\.\d{3}$/.test(e.textContent)))`) != true {
		t.Error("a time has no ms")
	}
	r.change("#log-level", "30")
	r.until("the warning alone", func() bool { return strings.HasPrefix(lines(), "Warn") })
	r.change("#log-level", "10")
	log.Log(t.Context(), slog.LevelError, "an error")
	r.enter("#log-filter", "an error")
	r.until("the error alone", func() bool { return lines() == "Error an error" })
	r.enter("#log-filter", "")
	r.change("#log-node", "other")
	r.until("those of the node alone", func() bool {
		return strings.Contains(lines(), "before") && r.do(`return page.$$eval("#log .who", (all) => all.every((e) => e.textContent === "other"))`) == true
	})
	r.accessible("log")
	r.attacked()
	r.clean()
}
