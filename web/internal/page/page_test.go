// SPDX-License-Identifier: Apache-2.0

package page

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestDistIsWhatSourceMakes: the committed script is the one that src gives, and src has no type errors.
func TestDistIsWhatSourceMakes(t *testing.T) {
	if _, err := os.Stat("node_modules/.bin/esbuild"); err != nil {
		if os.Getenv("EPUCK_INTEROP") == "required" {
			t.Fatal("npm ci in web/internal/page, which scripts/setup.sh does: ", err)
		}
		t.Skip("npm ci in web/internal/page first: ", err)
	}
	for _, args := range [][]string{{"node", "build.mjs", "--check"}, {"node_modules/.bin/tsc", "--noEmit"}} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}

func TestHandler(t *testing.T) {
	for path, want := range map[string]string{
		"/": "text/html; charset=utf-8", "/page.js": "text/javascript; charset=utf-8", "/page.css": "text/css; charset=utf-8", "/icon.svg": "image/svg+xml",
		"/licences.txt": "text/plain; charset=utf-8", "/page.go": "", "/dist/": "", "/../page.go": "",
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.URL.Path = path
		Handler().ServeHTTP(w, r)
		if want == "" {
			if w.Code != 404 {
				t.Errorf("%s: %d", path, w.Code)
			}
			continue
		}
		if w.Code != 200 || w.Header().Get("Content-Type") != want || w.Body.Len() == 0 {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
	}
}

// TestNothingComesFromElsewhere: the page works offline.
func TestNothingComesFromElsewhere(t *testing.T) {
	for name := range types {
		data, err := dist.ReadFile("dist/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{"src=\"http", "href=\"http", "url(http", "import(\"http", "@import"} {
			if strings.Contains(string(data), bad) {
				t.Errorf("%s holds %s", name, bad)
			}
		}
	}
}
