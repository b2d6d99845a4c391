// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// cards returns the panels that are kept open, in order, each with its width and height.
func (r *rig) cards() string {
	r.Helper()
	s, _ := r.do(`return page.$$eval(".card.open", (all) => all.map((c) => c.id.slice(5) + c.style.gridColumn.replace(/^span (\d).*$/, " $1 ") + c.style.height).join(", "))`).(string)
	return s
}

// TestWorkspace: panels are kept open, moved, sized and closed; the layout is there again after the page was reloaded,
// by its address in another browser, and from a file; a file that is none is refused.
func TestWorkspace(t *testing.T) {
	r := newRig(t, options{})
	act := func(panel, what string) { r.clickOn("#card-" + panel + " [data-do=" + what + "]") }
	is := func(want string) {
		t.Helper()
		r.until("the layout is "+want, func() bool { return r.cards() == want })
	}
	for _, panel := range []string{"log", "parameters"} {
		r.tab(panel)
		r.clickOn("#layout-keep")
	}
	r.tab("sensors")
	is("log 1 , parameters 1 ")
	act("parameters", "wider")
	act("parameters", "higher")
	act("parameters", "earlier")
	is("parameters 2 28rem, log 1 ")
	r.until("the parameters are listed, and the log and the sensors are seen", func() bool {
		return strings.Contains(r.text("#param-state"), "parameters") &&
			r.do(`return page.$$eval(".card", (all) => all.filter((c) => !c.hidden).map((c) => c.id).join())`) == "card-parameters,card-log,card-sensors"
	})
	r.do(`await page.reload()`)
	is("parameters 2 28rem, log 1 ")
	r.clickOn("#layout-share")
	shared, _ := r.do(`return page.url()`).(string)
	act("log", "close")
	is("parameters 2 28rem")
	r.do(`await page.evaluate(() => localStorage.clear()); await page.goto(%q)`, shared)
	is("parameters 2 28rem, log 1 ")

	dir := t.TempDir()
	open := func(name, text string) {
		path := filepath.Join(dir, name)
		r.must(os.WriteFile(path, []byte(text), 0o600))
		r.do(`await (await page.$("#layout-file")).uploadFile(%q)`, path)
	}
	open("picture.json", `{"version": 1}`)
	r.until("it is refused", func() bool { return strings.Contains(r.text("#layout-note"), "no layout") })
	open("layout.json", `{"version": 1, "shown": "log", "open": [{"id": "plots", "width": 3, "height": 0}]}`)
	is("plots 3 ")
	r.clean()
}

// clickOn clicks the element of a selector by script, wherever it is scrolled to.
func (r *rig) clickOn(selector string) {
	r.Helper()
	r.do(`await page.$eval(%q, (e) => e.click())`, selector)
}

// TestFleetPanel shows the state of each robot, and of those only that are searched for; the layout of a class has no
// accessibility problems.
func TestFleetPanel(t *testing.T) {
	r := newRig(t, options{})
	r.do(`await page.select("#layout-choice", "Class")`)
	what := func(name string) string {
		s, _ := r.do(`return page.evaluate((n) => document.querySelector('[data-robot="/"] [data-what="' + n + '"]')?.textContent ?? "", %q)`, name).(string)
		return s
	}
	r.until("the robot is active and has a battery", func() bool { return what("age") == "active" && strings.Contains(what("battery"), " V") })
	r.clickOn("#fleet-cameras")
	r.until("its camera is shown", func() bool {
		n, _ := r.do(`return page.evaluate(() => Number(document.querySelector("#fleet-list canvas")?.dataset.shown ?? 0))`).(float64)
		return n > 1
	})
	r.accessible("layout of a class")
	r.enter("#fleet-filter", "another")
	r.until("no other robot is found", func() bool { return r.text("#fleet-count") == "0 of 1 robots" })
	r.clean()
}
