// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// TestManyRobotsAreAList: a hundred robots take no more of the window than one; one of them is found by a search and
// chosen; their names on the map cover neither each other nor robots.
func TestManyRobotsAreAList(t *testing.T) {
	r := newRig(t, options{})
	height := func() any { return r.do(`return page.$eval("header", (e) => e.offsetHeight)`) }
	one := height()
	for i := range 100 {
		pub, err := ros2.NewPublisher[nav_msgs.Odometry](r.node, fmt.Sprintf("/r%d/odom", i), ros2.LatchedQoS())
		r.must(err)
		m := nav_msgs.Odometry{}
		m.Pose.Pose.Position.X, m.Pose.Pose.Orientation.W = 0.1*float64(i%10), 1
		m.Pose.Pose.Position.Y = 0.1 * float64(i/10)
		r.must(pub.Publish(&m))
	}
	r.until("all are counted", func() bool { return strings.Contains(r.text(".picker summary"), "of 101 robots") })
	if many := height(); many != one {
		t.Errorf("the header has %v px, %v with one robot", many, one)
	}
	r.until("some names are written", func() bool { return r.data("names") != "" && r.data("names") != "0" })
	r.clickOn(".picker summary")
	r.enter("#robots-find", "r99")
	r.until("one is found", func() bool {
		return r.do(`return page.$$eval("#robots-list button", (all) => all.map((e) => e.textContent).join())`) == "r99"
	})
	r.accessible("the list of robots")
	r.do(`await page.focus("#robots-find"); await page.keyboard.press("Enter")`)
	r.until("it is chosen", func() bool {
		return strings.HasPrefix(r.text(".picker summary"), "r99") && strings.HasPrefix(r.text("#pose"), "r99")
	})
	r.clean()
}

// TestLanguage: a choice of the language is remembered.
func TestLanguage(t *testing.T) {
	r := newRig(t, options{})
	choose := func(code string) {
		r.do(`await Promise.all([page.waitForNavigation({ timeout: 60_000 }),
			page.$eval("#language", (e, v) => { e.value = v; e.dispatchEvent(new Event("change")); }, %q)])`, code)
	}
	choose("de")
	r.until("the texts are German", func() bool { return r.text("#state") == "Verbunden" && r.text("#take") == "Steuerung übernehmen" })
	if lang := r.do(`return page.evaluate(() => document.documentElement.lang)`); lang != "de" {
		t.Errorf("the page's language is %v", lang)
	}
	r.accessible("German")
	choose("fr")
	r.until("the texts are French", func() bool { return r.text("#state") == "Connecté" })
	choose("en")
	r.until("the texts are English", func() bool { return r.text("#state") == "Connected" })
	r.clean()
}
