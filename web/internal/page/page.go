// SPDX-License-Identifier: Apache-2.0

// Package page is the page that a browser shows: an HTML file, a style sheet and one script, embedded in the program.
// They are built from src by build.mjs (npm run build) and committed in dist; a test fails when they are not what src
// makes.
package page

import (
	"embed"
	"io/fs"
	"net/http"
	"strconv"
)

//go:embed dist
var dist embed.FS

// types are the media types of the files, which no machine's tables decide.
var types = map[string]string{
	"index.html": "text/html; charset=utf-8", "page.js": "text/javascript; charset=utf-8", "page.css": "text/css; charset=utf-8",
	"icon.svg": "image/svg+xml", "licences.txt": "text/plain; charset=utf-8",
}

// Handler serves the files; "/" is the page. Everything else is not found.
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.URL.Path[1:]
		if name == "" {
			name = "index.html"
		}
		kind, known := types[name]
		if !known {
			http.NotFound(w, r)
			return
		}
		data, err := fs.ReadFile(dist, "dist/"+name)
		if err != nil {
			http.NotFound(w, r)
			return
		}
		h := w.Header()
		h.Set("Content-Type", kind)
		h.Set("Content-Length", strconv.Itoa(len(data)))
		h.Set("Cache-Control", "no-cache")
		if r.Method != http.MethodHead {
			_, _ = w.Write(data) // the viewer left
		}
	})
}
