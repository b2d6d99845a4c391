// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package browser

// accessible fails the test for each problem that axe-core finds on the page by the rules of WCAG 2.2 A and AA.
func (r *rig) accessible(where string) {
	r.Helper()
	found, _ := r.do(`if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
		const r = await page.evaluate(() => axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }));
		return r.violations.map((v) => v.id + ": " + v.help + " " +
			v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + " " + n.failureSummary).join(" | "))`).([]any)
	for _, v := range found {
		r.Errorf("%s: %v", where, v)
	}
}
