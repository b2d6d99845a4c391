// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package browser

import "testing"

// TestPhone: the map fills the window with the stick over it; a panel is a sheet over both until it is closed; what is
// touched has at least 44 px.
func TestPhone(t *testing.T) {
	r := newRig(t, options{})
	r.open(390, 844, true)
	// on returns whether the element is the one that a touch at its middle meets.
	on := func(selector string) bool {
		return r.do(`return page.$eval(%q, (e) => { const b = e.getBoundingClientRect(), x = b.x + b.width / 2, y = b.y + b.height / 2;
			return b.width > 0 && x > 0 && y > 0 && x < innerWidth && y < innerHeight && e.contains(document.elementFromPoint(x, y)); })`, selector) == true
	}
	folded := func() bool { return r.do(`return page.$$eval(".sheet", (all) => all.length)`) == 0.0 }
	large := func(where string) {
		t.Helper()
		small := r.do(`return page.$$eval("button, select, summary, input:not([type=checkbox]), [role=tab]", (all) => all.filter((e) => e.checkVisibility()).map((e) => [e, e.getBoundingClientRect()])
			.filter(([, b]) => b.width > 0 && (b.height < 43.9 || b.width < 43.9)).map(([e, b]) => (e.id || e.className || e.textContent) + " " + b.width + "x" + b.height).join("; "))`)
		if small != "" {
			t.Errorf("%s: less than 44 px: %v", where, small)
		}
	}
	r.until("the stick and the tabs can be touched, over a map as wide as the window", func() bool {
		width := r.do(`return page.$eval("#map", (e) => e.getBoundingClientRect().width)`)
		return on("#pad") && on("#take") && on("#tab-sensors") && on("#add summary") && on("#layout summary") && width == 390.0
	})
	if scrolls := r.do(`return page.evaluate(() => document.scrollingElement.scrollHeight > innerHeight || document.scrollingElement.scrollWidth > innerWidth)`); scrolls != false {
		t.Error("the page itself scrolls")
	}
	large("map")
	for _, kind := range kinds {
		if kind == "map" || kind == "drive" || kind == "camera" {
			continue
		}
		r.tab(kind)
		r.until("the sheet of "+kind, func() bool {
			return !folded() && on(".sheet [data-do=hide]") && r.do(`return page.$eval("#panel-%s", (e) => e.childElementCount > 0 && e.checkVisibility())`, kind) == true
		})
		large(kind)
	}
	r.clickOn(".sheet [data-do=hide]")
	r.until("the map alone", func() bool { return folded() && on("#pad") })
	r.clickOn("#add summary")
	large("list of panels")
	r.accessible("list of panels")
	r.clickOn("#layout summary")
	large("layouts")
	r.do(`await page.keyboard.press("Escape")`)
	r.clean()
}
