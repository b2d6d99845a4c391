// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// places returns the panels in reading order, each with its column, row, width and height.
func (r *rig) places() string {
	r.Helper()
	s, _ := r.do(`return page.$$eval("[id^=card-]", (all) => all.map((e) => [e.gridstackNode, e.id.slice(5)]).filter(([n]) => n).sort(([a], [b]) => a.y - b.y || a.x - b.x)
		.map(([n, key]) => [key, n.x, n.y, n.w, n.h].join(" ")).join(", "))`).(string)
	return s
}

// is waits until the panels are at their places.
func (r *rig) is(want string) {
	r.Helper()
	was := ""
	r.until("the layout is "+want, func() bool { was = r.places(); return was == want || !strings.Contains(was, " ") && want == "" })
}

// openLayout opens the page with a layout in its address.
func (r *rig) openLayout(layout string) {
	r.Helper()
	r.do(`await page.evaluate(() => localStorage.clear()); await page.goto(%q + "?layout=" + encodeURIComponent(%q))`, r.url, layout)
	r.until("the page is connected", func() bool { return r.text("#state") == "Connected" })
}

// press sends keys to the button that moves a panel.
func (r *rig) pressOn(panel string, keys ...string) {
	r.Helper()
	r.do(`await page.focus("#card-%s .grip")`, panel)
	for _, k := range keys {
		if key, shifted := strings.CutPrefix(k, "Shift+"); shifted {
			r.do(`await page.keyboard.down("Shift"); await page.keyboard.press(%q); await page.keyboard.up("Shift")`, key)
		} else {
			r.do(`await page.keyboard.press(%q)`, k)
		}
	}
}

const twoLogs = `{"version": 2, "panels": [{"kind": "log", "x": 0, "y": 0, "w": 6, "h": 6}, {"kind": "log", "x": 6, "y": 0, "w": 6, "h": 6, "settings": {"level": "40"}}]}`

// TestWorkspace: panels of a kind are added several times, each with its own settings; they are moved, sized and removed
// by keys. The layout is there after the page was reloaded, by its address in another browser, and from a file; a file that
// is no layout is refused; layouts of version 1 are read.
func TestWorkspace(t *testing.T) {
	r := newRig(t, options{})
	r.openLayout(twoLogs)
	r.is("log 0 0 6 6, log-2 6 0 6 6")
	level := func(id string) any { return r.do(`return page.$eval(%q, (e) => e.value)`, "#"+id+"-level") }
	if a, b := level("log"), level("log-2"); a != "20" || b != "40" {
		t.Errorf("levels %v and %v", a, b)
	}
	r.change("#log-level", "10")
	r.tab("parameters")
	r.is("log 0 0 6 6, log-2 6 0 6 6, parameters 0 6 6 12")
	r.pressOn("parameters", "ArrowUp")
	r.is("parameters 0 0 6 12, log-2 6 0 6 6, log 0 12 6 6")
	r.pressOn("parameters", "Shift+ArrowLeft", "Shift+ArrowLeft", "Shift+ArrowUp")
	r.is("parameters 0 0 4 11, log-2 6 0 6 6, log 0 11 6 6")
	r.clickOn("#card-log-2 [data-do=close]")
	r.pressOn("parameters", "ArrowRight", "ArrowRight", "ArrowRight")
	r.is("parameters 3 0 4 11, log 0 11 6 6")
	r.clickOn("#card-log [data-do=copy]")
	r.is("parameters 3 0 4 11, log 0 11 6 6, log-2 0 17 6 6")
	if a, b := level("log"), level("log-2"); a != "10" || b != "10" {
		t.Errorf("levels %v and %v after duplication", a, b)
	}
	r.do(`await page.reload()`) // the address has the layout of before no longer
	r.is("parameters 3 0 4 11, log 0 11 6 6, log-2 0 17 6 6")
	r.clickOn("#layout-share")
	shared, _ := r.do(`return page.url()`).(string)
	r.clickOn("#card-log [data-do=close]")
	r.do(`await page.evaluate(() => localStorage.clear()); await page.goto(%q)`, shared)
	r.is("parameters 3 0 4 11, log 0 11 6 6, log-2 0 17 6 6")

	dir := t.TempDir()
	open := func(name, text string) {
		path := filepath.Join(dir, name)
		r.must(os.WriteFile(path, []byte(text), 0o600))
		r.do(`await (await page.$("#layout-file")).uploadFile(%q)`, path)
	}
	open("picture.json", `{"version": 7}`)
	r.until("it is refused", func() bool { return strings.Contains(r.text("#layout-note"), "no layout") })
	open("layout.json", `{"version": 1, "shown": "log", "open": [{"id": "topics", "width": 3, "height": 0}]}`)
	r.is("map 0 0 9 19, camera 9 0 3 9, drive 9 9 3 10, messages 0 19 12 10, log 0 29 12 10")
	r.clean()
}

// TestWorkspaceByPointer: a panel is dragged by its head and sized by its corner, shown in the full window, and the layouts
// to choose from replace all panels.
func TestWorkspaceByPointer(t *testing.T) {
	r := newRig(t, options{})
	r.openLayout(twoLogs)
	r.is("log 0 0 6 6, log-2 6 0 6 6")
	drag := func(selector string, dx, dy int) {
		r.do(`const b = await (await page.$(%q)).boundingBox(), x = b.x + b.width / 2, y = b.y + b.height / 2;
			await page.mouse.move(x, y); await page.mouse.down(); await page.mouse.move(x + %[2]d / 2, y + %[3]d / 2, { steps: 5 }); await page.mouse.move(x + %[2]d, y + %[3]d, { steps: 5 }); await sleep(50); await page.mouse.up()`, selector, dx, dy)
	}
	drag("#card-log .ui-resizable-s", 0, 80)
	r.is("log 0 0 6 8, log-2 6 0 6 6")
	drag("#card-log-2 h2", -760, 330)
	r.is("log 0 0 6 8, log-2 0 8 6 6")
	r.clickOn("#card-log [data-do=full]")
	r.until("it fills the window", func() bool {
		return r.do(`return page.$eval("#card-log", (e) => { const b = e.getBoundingClientRect(); return b.width === innerWidth && b.height === innerHeight; })`) == true
	})
	r.do(`await page.keyboard.press("Escape")`)
	r.until("it is in its place", func() bool {
		return r.do(`return page.$eval("#card-log", (e) => e.getBoundingClientRect().width < innerWidth)`) == true
	})
	for _, name := range []string{"robot", "fleet", "recording", "class", "phone"} {
		r.clickOn(fmt.Sprintf("[data-layout=\"layout.%s\"]", name))
		r.until("the layout "+name, func() bool { return strings.Count(r.places(), ",") >= 2 })
		r.do(`await sleep(300)`)
		r.accessible("layout " + name)
	}
	r.clean()
}

// clickOn clicks the element of a selector by script, wherever it is scrolled to.
func (r *rig) clickOn(selector string) {
	r.Helper()
	r.until("there is "+selector, func() bool {
		return r.do(`return page.evaluate((s) => { const e = document.querySelector(s); e?.click(); return e !== null; }, %q)`, selector) == true
	})
}

// TestFleetPanel shows the state of each robot, and of those only that are searched for; the layout of a class has no
// accessibility problems.
func TestFleetPanel(t *testing.T) {
	r := newRig(t, options{})
	r.clickOn(`[data-layout="layout.class"]`)
	what := func(name string) string {
		s, _ := r.do(`return page.evaluate((n) => document.querySelector('[data-robot="/"] [data-what="' + n + '"]')?.textContent ?? "", %q)`, name).(string)
		return s
	}
	r.until("the robot is still and has a battery", func() bool { return what("age") == "still" && strings.Contains(what("battery"), " V") })
	r.until("its camera is shown", func() bool {
		n, _ := r.do(`return page.evaluate(() => Number(document.querySelector("#fleet-list canvas")?.dataset.shown ?? 0))`).(float64)
		return n > 1
	})
	r.accessible("layout of a class")
	r.change("#fleet-view", "list")
	r.until("it is in a list", func() bool {
		return what("age") == "still" && r.do(`return page.evaluate(() => document.querySelector("table#fleet-list") !== null)`) == true
	})
	r.enter("#fleet-filter", "another")
	r.until("no other robot is found", func() bool { return strings.HasPrefix(r.text("#fleet-count"), "0 of 1 robot") })
	r.clean()
}
