// SPDX-License-Identifier: Apache-2.0

package page

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
)

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
		data := get(t, "/"+name, "").Body.Bytes()
		if len(data) == 0 {
			t.Fatal(name)
		}
		for _, bad := range []string{"src=\"http", "href=\"http", "url(http", "import(\"http", "@import"} {
			if strings.Contains(string(data), bad) {
				t.Errorf("%s holds %s", name, bad)
			}
		}
	}
}

// get asks the handler for a file, with the header Accept-Encoding unless it is empty.
func get(t *testing.T, path, encoding string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodGet, path, nil)
	if encoding != "" {
		r.Header.Set("Accept-Encoding", encoding)
	}
	Handler().ServeHTTP(w, r)
	if length := w.Header().Get("Content-Length"); length != strconv.Itoa(w.Body.Len()) {
		t.Errorf("%s: Content-Length %s, %d bytes", path, length, w.Body.Len())
	}
	return w
}

// TestScriptTravelsCompressed: a browser gets the script compressed, another client in clear, both the same.
func TestScriptTravelsCompressed(t *testing.T) {
	plain, packed := get(t, "/page.js", ""), get(t, "/page.js", "gzip, deflate, br")
	if e := plain.Header().Get("Content-Encoding"); e != "" {
		t.Errorf("unasked for: %s", e)
	}
	if e := packed.Header().Get("Content-Encoding"); e != "gzip" || packed.Header().Get("Vary") != "Accept-Encoding" {
		t.Errorf("%q, %v", e, packed.Header())
	}
	if packed.Body.Len()*2 > plain.Body.Len() {
		t.Errorf("%d bytes are compressed to %d", plain.Body.Len(), packed.Body.Len())
	}
	r, err := gzip.NewReader(packed.Body)
	if err != nil {
		t.Fatal(err)
	}
	if data, err := io.ReadAll(r); err != nil || string(data) != plain.Body.String() {
		t.Error("not the same", err)
	}
	if e := get(t, "/index.html", "gzip").Header().Get("Content-Encoding"); e != "" {
		t.Errorf("what is not kept compressed: %s", e)
	}
}

// TestPageIsSmall: the compressed page fits its budget, and the view in three dimensions is not in what loads first.
func TestPageIsSmall(t *testing.T) {
	const all, first = 600_000, 250_000 // bytes
	var sum, begin int
	for name := range types {
		n := get(t, "/"+name, "gzip").Body.Len()
		sum += n
		if name != "view3d.js" {
			begin += n
		}
	}
	if sum > all || begin > first {
		t.Errorf("%d bytes, of them %d at first; want at most %d and %d", sum, begin, all, first)
	}
	if strings.Contains(get(t, "/page.js", "").Body.String()+get(t, "/shared.js", "").Body.String(), "WebGLRenderer") {
		t.Error("three.js is in what loads first")
	}
}
