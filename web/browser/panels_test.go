// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package browser

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim"
)

// update writes the screenshots of the documents: go test ./web/browser -run Screenshots -update.
var update = flag.Bool("update", false, "write docs/images/page-*.png")

// kinds are the kinds of panels.
var kinds = []string{
	"map", "scene", "camera", "image", "drive", "navigation", "sensors", "plots", "messages", "publish", "log", "diagnostics", "parameters",
	"services", "actions", "transforms", "nodes", "fleet", "battery", "lights",
}

// tab brings the first panel of a kind into sight, and adds it if the layout has none. On a phone the sheet stays that
// shows it already.
func (r *rig) tab(kind string) {
	r.Helper()
	r.do(`await page.evaluate((kind) => { const tab = document.getElementById("tab-" + kind); if (!document.querySelector("#card-" + kind + ".sheet")) (tab ?? document.getElementById("add-" + kind)).click(); }, %q)`, kind)
}

// TestLEDs: a click switches on the LED of the virtual microcontroller.
func TestLEDs(t *testing.T) {
	r := newRig(t, options{})
	r.tab("lights")
	r.do(`await page.$eval("#led-color", (e) => { e.value = "#0000ff"; })`)
	r.do(`await page.evaluate(() => { document.getElementById("led0").click(); document.getElementById("led3").click(); })`)
	r.until("LEDs 0 and 3 are lit", func() bool {
		return r.robot.GroundTruth().LEDs != (sim.GroundTruth{}).LEDs && r.pressed("led0") && r.pressed("led3")
	})
	r.do(`await page.click("#leds-off")`)
	r.until("all are off", func() bool { return r.robot.GroundTruth().LEDs == (sim.GroundTruth{}).LEDs })
	r.do(`await page.click("#melody2")`)
	r.until("melody 2 plays", func() bool { return r.robot.GroundTruth().Melody == 2 })
	r.clean()
}

func (r *rig) pressed(id string) bool {
	return r.do(`return page.$eval(%q, (e) => e.getAttribute("aria-pressed"))`, "#"+id) == "true"
}

// TestCamera: the page shows the picture that the simulator renders.
func TestCamera(t *testing.T) {
	r := newRig(t, options{world: "camera"})
	r.until("ten pictures were shown", func() bool {
		n, _ := r.do(`return page.$eval("#camera", (e) => Number(e.dataset.shown ?? 0))`).(float64)
		return n > 10
	})
	const cells = 16 // the picture as 16×12 means of brightness
	shown := r.do(`return page.$eval("#camera", (c) => {
		const small = document.createElement("canvas"); small.width = 16; small.height = 12;
		const g = small.getContext("2d"); g.imageSmoothingQuality = "high"; g.drawImage(c, 0, 0, 16, 12);
		const d = g.getImageData(0, 0, 16, 12).data, out = [];
		for (let i = 0; i < d.length; i += 4) out.push(0.299 * d[i] + 0.587 * d[i + 1] + 0.114 * d[i + 2]);
		return out; })`).([]any)
	drawn := r.robot.Picture(nil)
	var sum float64
	for cy := range 12 {
		for cx := range cells {
			var mean float64
			for y := range 40 {
				for x := range 40 {
					mean += float64(drawn[2*((cy*40+y)*640+cx*40+x)]) / 1600
				}
			}
			sum += math.Abs(mean - shown[cy*cells+cx].(float64))
		}
	}
	if mean := sum / (12 * cells); mean > 12 {
		t.Errorf("the picture differs by %.1f of 255 in the mean", mean)
	} else {
		t.Logf("the picture differs by %.1f of 255 in the mean", mean)
	}
	r.clean()
}

// TestHiddenPageHasNoSubscriptions: a page in the background subscribes to nothing.
func TestHiddenPageHasNoSubscriptions(t *testing.T) {
	r := newRig(t, options{})
	r.until("it is subscribed", func() bool { return r.site.Stats().Subscriptions > 10 })
	r.do(`await page.evaluate(() => {
		Object.defineProperty(document, "hidden", { get: () => true, configurable: true });
		document.dispatchEvent(new Event("visibilitychange")); })`)
	r.until("nothing is subscribed", func() bool { return r.site.Stats().Subscriptions == 0 })
	r.clean()
}

// looks are what systems ask pages for.
var looks = map[string]string{
	"light": `[{ name: "prefers-color-scheme", value: "light" }]`, "dark": `[{ name: "prefers-color-scheme", value: "dark" }]`,
	"contrast": `[{ name: "prefers-contrast", value: "more" }]`, "calm": `[{ name: "prefers-reduced-motion", value: "reduce" }]`,
}

// look makes the browser report what a system asks for, which puppeteer itself does not do for contrast.
func (r *rig) look(name string) {
	r.Helper()
	r.do(`const c = await page.createCDPSession(); await c.send("Emulation.setEmulatedMedia", { features: %s })`, looks[name])
}

// TestAccessible checks every panel by axe-core's rules of WCAG 2.2 A and AA: light, dark and with high contrast, and
// on a phone.
func TestAccessible(t *testing.T) {
	r := newRig(t, options{})
	for _, c := range []struct {
		look  string
		width int
	}{{"light", 1280}, {"light", 390}, {"dark", 1280}, {"contrast", 1280}} {
		r.look(c.look)
		r.do(`await page.evaluate(() => localStorage.clear())`)
		r.open(c.width, 900, false)
		if theme := r.do(`return page.evaluate(() => document.documentElement.dataset.theme)`); theme != c.look {
			t.Errorf("theme %v where the system asks for %s", theme, c.look)
		}
		for _, kind := range kinds {
			r.only(kind)
			r.do(`await sleep(200)`)
			r.accessible(fmt.Sprintf("%s, %s, %d px", kind, c.look, c.width))
		}
	}
}

// only shows one panel: what the layout has besides would be checked again and again.
func (r *rig) only(kind string) {
	r.Helper()
	r.do(`await page.$$eval("[data-do=close]", (all) => all.forEach((b) => b.click()))`)
	r.tab(kind)
	r.until("there is a panel "+kind, func() bool {
		return r.do(`return page.evaluate((k) => (document.getElementById("panel-" + k)?.childElementCount ?? 0) > 0, %q)`, kind) == true
	})
}

// TestThemeIsChosen: a choice is remembered and goes before what the system asks for.
func TestThemeIsChosen(t *testing.T) {
	r := newRig(t, options{})
	theme := func() any { return r.do(`return page.evaluate(() => document.documentElement.dataset.theme)`) }
	r.look("dark")
	r.until("it is dark as the system", func() bool { return theme() == "dark" })
	r.change("#theme", "contrast")
	r.do(`await page.reload()`)
	r.until("the choice is remembered", func() bool { return theme() == "contrast" })
	r.change("#theme", "")
	r.until("it is the system's again", func() bool { return theme() == "dark" })
	r.look("calm")
	r.until("nothing moves by itself", func() bool {
		return r.do(`return page.$$eval("body *", (all) => all.every((e) => getComputedStyle(e).transitionDuration === "0s" && getComputedStyle(e).animationName === "none"))`) == true
	})
	r.clean()
}

// TestScreenshots writes the pictures of the documents.
func TestScreenshots(t *testing.T) {
	truth := filepath.Join(t.TempDir(), "truth.json")
	r := newStarted(t, "--truth", truth)
	r.truth = truth
	r.open(1280, 1000, false)
	r.tab("plots")
	r.until("the simulation's bar is complete", func() bool {
		kinds := r.do(`return page.$$eval("#sim-kind option", (all) => all.map((o) => o.value).join())`)
		text, _ := kinds.(string)
		return strings.Contains(r.text("#sim-about"), "Steps are of") && strings.Contains(text, "person,cylinder,puck,block")
	})
	r.take()
	far := func() bool { p := r.record(); return math.Hypot(p.X, p.Y) > 0.06 }
	r.hold("it has driven a way", far, "ArrowUp", "ArrowLeft")
	for _, shot := range []struct {
		name          string
		width, height int
		look          string
	}{{"desktop", 1280, 1000, "light"}, {"desktop-dark", 1280, 1000, "dark"}, {"phone", 390, 844, "light"}} {
		r.look(shot.look)
		r.do(`await page.setViewport({ width: %d, height: %d, deviceScaleFactor: %d })`, shot.width, shot.height, 1+shot.width%390/1000)
		r.do(`await sleep(600)`)
		path := filepath.Join(t.TempDir(), shot.name+".png")
		if *update {
			path = "../../docs/images/page-" + shot.name + ".png"
		}
		r.do(`await page.screenshot({ path: %q })`, path)
		if info, err := os.Stat(path); err != nil || info.Size() < 10_000 {
			t.Errorf("%s: %v, %v", shot.name, info, err)
		}
	}
	r.do(`await page.keyboard.up("ArrowUp"); await page.keyboard.up("ArrowLeft")`)
	r.clean()
	r.end()
}
