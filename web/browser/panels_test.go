// SPDX-License-Identifier: Apache-2.0

package browser

import (
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim"
)

// update writes the screenshots of the documents: go test ./web/browser -run Screenshots -update.
var update = flag.Bool("update", false, "write docs/images/page-*.png")

func (r *rig) tab(name string) {
	r.Helper()
	r.do(`await page.evaluate((id) => document.getElementById(id).click(), %q)`, "tab-"+name)
}

// TestLEDs: a click switches on the LED of the virtual microcontroller.
func TestLEDs(t *testing.T) {
	r := newRig(t, options{})
	r.tab("actions")
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

// TestParameters: a value is set, one out of range is refused with its reason.
func TestParameters(t *testing.T) {
	r := newRig(t, options{})
	r.tab("parameters")
	const input = `[id="param-max_wheel_speed"]`
	r.until("the parameters are listed", func() bool {
		return strings.Contains(r.text("#param-state"), "parameters") && r.do(`return (await page.$('%s')) !== null`, input) == true
	})
	set := func(value string) {
		r.do(`await page.$eval('%s', (e, v) => { e.value = v; e.dispatchEvent(new Event("change")); }, %q)`, input, value)
	}
	reason := func() string { return r.text(`[id="param-max_wheel_speed-error"]`) }
	set("-5")
	r.until("the reason is shown", func() bool {
		return strings.Contains(reason(), "range") || strings.Contains(reason(), "between") || reason() != ""
	})
	t.Log(reason())
	set("5.5")
	r.until("the reason has disappeared, and the value counts as valid", func() bool { // once the answer has arrived
		return reason() == "" && r.do(`return page.$eval('%s', (e) => e.getAttribute("aria-invalid"))`, input) == nil
	})
	r.clean()
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

// TestAccessible checks every tab, light and dark, desktop and phone, by axe-core's rules of WCAG 2.2 A and AA.
func TestAccessible(t *testing.T) {
	r := newRig(t, options{})
	for _, look := range []string{"light", "dark"} {
		r.do(`await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: %q }])`, look)
		for _, size := range [][2]int{{1280, 900}, {390, 844}} {
			r.open(size[0], size[1], false)
			r.do(`await page.evaluate(axe)`)
			for _, tab := range []string{"sensors", "plots", "actions", "parameters", "diagnostics", "log", "services"} {
				r.tab(tab)
				r.do(`await sleep(200)`)
				found := r.do(`const r = await page.evaluate(() => axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }));
					return r.violations.map((v) => v.id + ": " + v.help + " " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + " " + n.failureSummary).join(" | "))`).([]any)
				for _, v := range found {
					t.Errorf("%s, %s, %d px: %v", tab, look, size[0], v)
				}
			}
		}
	}
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
		return strings.Contains(r.text("#sim-about"), "robots can't") && kinds == "person,cylinder,puck,block"
	})
	r.take()
	far := func() bool { p := r.record(); return math.Hypot(p.X, p.Y) > 0.06 }
	r.hold("it has driven a way", far, "ArrowUp", "ArrowLeft")
	for _, shot := range []struct {
		name          string
		width, height int
		look          string
	}{{"desktop", 1280, 1000, "light"}, {"desktop-dark", 1280, 1000, "dark"}, {"phone", 390, 844, "light"}} {
		r.do(`await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: %q }])`, shot.look)
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
