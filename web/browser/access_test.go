// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package browser

import (
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/web/guard"
)

// TestPageAsksForTheToken: without one, with a wrong one in the address, with one that no header can carry; and
// connects with the one that is entered, which may be pasted with its address.
func TestPageAsksForTheToken(t *testing.T) {
	r := newServer(t, options{tokenFile: filepath.Join(t.TempDir(), "tokens.json")})
	r.browse()
	r.do(`await page.setViewport({width: 1280, height: 900})`)
	valid, err := url.Parse(r.site.URL(guard.Drive))
	r.must(err)
	asks := func(reason, state string) {
		t.Helper()
		r.until("the page asks for the token: "+reason, func() bool {
			shown := r.do(`return page.$eval("#access", (e) => !e.hidden)`) == true
			return shown && strings.Contains(r.text("#access-reason"), reason) && r.text("#state") == state
		})
	}
	enter := func(text string) {
		t.Helper()
		r.do(`await page.type("#access-token", %q); await page.keyboard.press("Enter")`, text)
	}
	r.do(`await page.goto(%q)`, r.url)
	asks("is needed", "A token is needed")
	r.accessible("the form for the token")
	if focus := r.do(`return page.evaluate(() => document.activeElement.id)`); focus != "access-token" {
		t.Errorf("the focus is on %v", focus)
	}
	enter("wrong-wrong-wrong-wrong")
	asks("is wrong", "The token is wrong")
	enter("größer, mit Leerzeichen")
	asks("is wrong", "The token is wrong")
	if left := r.do(`return page.evaluate(() => sessionStorage.getItem("token"))`); left != nil {
		t.Errorf("a wrong token is kept: %v", left)
	}
	refused := r.site.Stats().Refused
	r.do(`await sleep(1000)`)
	if n := r.site.Stats().Refused; n != refused {
		t.Errorf("the page tried %d times more without a valid token", n-refused)
	}
	enter(valid.String())
	r.until("the page is connected", func() bool { return r.text("#state") == "Connected" })
	if r.do(`return page.$eval("#access", (e) => e.hidden)`) != true {
		t.Error("the form is still there")
	}
	r.do(`await page.goto("about:blank"); await page.goto(%q)`, r.url+"#%zz-wrong")
	asks("is wrong", "The token is wrong")
	enter(valid.Fragment)
	r.until("the page is connected", func() bool { return r.text("#state") == "Connected" })
	list, _ := r.do(`return problems.splice(0)`).([]any)
	for _, p := range list {
		if text, _ := p.(string); !strings.Contains(text, "WebSocket") || strings.Contains(text, valid.Fragment) {
			t.Errorf("the page has a problem: %v", p)
		}
	}
}
