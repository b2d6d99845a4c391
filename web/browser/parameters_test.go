// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package browser

import (
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// field returns a property of the field of a parameter, as text.
func (r *rig) field(name, property string) string {
	r.Helper()
	s, _ := r.do(`return page.evaluate((id, p) => { const e = document.getElementById(id); return e ? String(e[p]) : ""; }, "parameters-p-%s", %q)`, name, property).(string)
	return s
}

// change enters a value in a field or moves a slider, as a person who leaves it.
func (r *rig) change(selector, value string) {
	r.Helper()
	r.until("there is "+selector, func() bool {
		return r.do(`return page.evaluate((s, v) => {
			const e = document.querySelector(s);
			if (e) { e.value = v; e.dispatchEvent(new Event("input", { bubbles: true })); e.dispatchEvent(new Event("change", { bubbles: true })); }
			return e !== null; }, %q, %q)`, selector, value) == true
	})
}

// TestParameters: parameters in groups; numbers with limits have a slider, texts with a list of values a choice, those
// that cannot be changed are text. A value that the node refuses stays, with the reason, until another is taken.
func TestParameters(t *testing.T) {
	r := newRig(t, options{standard: true})
	r.must(declareOn(r.node))
	for _, width := range []int{1280, 390} {
		r.open(width, 844, width < 500)
		r.tab("parameters")
		r.enter("#parameters-filter", "") // the layout has the one of before
		r.until("the parameters are listed", func() bool { return r.field("max_wheel_speed", "type") == "number" })
		groups := r.do(`return page.$$eval("#parameters-list > .group > summary > :first-child", (all) => all.map((e) => e.textContent).join())`).(string)
		if !strings.HasPrefix(groups, "general,") || !strings.Contains(groups, ",camera,") {
			t.Errorf("groups %s", groups)
		}
		if min, max := r.field("max_wheel_speed", "min"), r.field("max_wheel_speed", "max"); min != "0.01" || max != "6.98" {
			t.Errorf("limits %s and %s", min, max)
		}
		if tag, text := r.field("cmd_vel_stamped", "tagName"), r.field("cmd_vel_stamped", "textContent"); tag != "OUTPUT" || text != "false" {
			t.Errorf("what is read only is %s %q", tag, text)
		}
		reason := func() string { return r.text(`[id="parameters-p-max_wheel_speed-error"]`) }
		r.change(`[id="parameters-p-max_wheel_speed"]`, "-5")
		r.until("the reason is shown, with the value", func() bool {
			return strings.Contains(reason(), "max_wheel_speed") && r.field("max_wheel_speed", "ariaInvalid") == "true" && r.field("max_wheel_speed", "value") == "-5"
		})
		r.accessible("a refused value")
		r.change(`.param[data-name="max_wheel_speed"] input[type="range"]`, "5.5")
		r.until("the reason has disappeared, and the value counts as valid", func() bool {
			return reason() == "" && r.field("max_wheel_speed", "ariaInvalid") == "null" && r.field("max_wheel_speed", "value") == "5.5"
		})
		r.change(`[id="parameters-p-scan_invalid"]`, "zero")
		r.change(`[id="parameters-p-scan_invalid"]`, "inf")
		r.until("the last choice is in force", func() bool { return r.field("scan_invalid", "value") == "inf" })
		r.enter("#parameters-filter", "exposure")
		r.until("one is found", func() bool {
			return r.do(`return page.$$eval(".param", (all) => all.map((e) => e.dataset.name).join())`) == "camera.exposure"
		})
	}
	r.enter("#parameters-filter", "")
	r.until("the other node is chosen", func() bool {
		r.do(`await page.select("#parameters-node", "/other")`)
		return r.field("size", "value") != ""
	})
	r.until("hostile text is text", func() bool { return strings.Contains(r.text("#parameters-list"), "<img onerror=x src=x>") })
	r.must(r.node.Parameters().SetAtomically(ros2.Parameter{Name: "size", Value: ros2.IntegerValue(7)}))
	r.until("a change by another is shown", func() bool { return r.field("size", "value") == "7" })
	r.clean()
}

// declareOn declares parameters of another program's node.
func declareOn(n *ros2.Node) error {
	_, err := n.DeclareParameter(ros2.ParameterDescriptor{
		Name: "size", Default: ros2.IntegerValue(3), Description: "<img onerror=x src=x>", IntegerRange: &ros2.IntegerRange{From: 1, To: 9, Step: 2},
	})
	return err
}
