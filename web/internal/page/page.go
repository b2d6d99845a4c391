// SPDX-License-Identifier: Apache-2.0

// Package page is the page for browsers: an HTML file, a style sheet and scripts, embedded in the program. They
// are built from src by build.mjs (npm run build) and committed in dist; a test fails when they are not what src
// makes. The script is embedded as it travels, compressed.
package page

import (
	"bytes"
	"compress/gzip"
	"embed"
	"io"
	"io/fs"
	"net/http"
	"strconv"
	"strings"
)

//go:embed dist
var dist embed.FS

// types are the media types of the files, which no machine's tables decide.
var types = map[string]string{
	"index.html": "text/html; charset=utf-8", "page.js": "text/javascript; charset=utf-8", "page.css": "text/css; charset=utf-8",
	"view3d.js": "text/javascript; charset=utf-8", "shared.js": "text/javascript; charset=utf-8",
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
		h := w.Header()
		data, err := fs.ReadFile(dist, "dist/"+name)
		if err != nil {
			data, err = packed(name, h, strings.Contains(r.Header.Get("Accept-Encoding"), "gzip"))
		}
		if err != nil {
			http.NotFound(w, r)
			return
		}
		h.Set("Content-Type", kind)
		h.Set("Content-Length", strconv.Itoa(len(data)))
		h.Set("Cache-Control", "no-cache")
		if r.Method != http.MethodHead {
			_, _ = w.Write(data) // the viewer left
		}
	})
}

// packed returns a file that is kept compressed: as it is for a browser that takes it so, else its contents.
func packed(name string, h http.Header, takesGzip bool) ([]byte, error) {
	data, err := fs.ReadFile(dist, "dist/"+name+".gz")
	if err != nil {
		return nil, err
	}
	h.Set("Vary", "Accept-Encoding")
	if takesGzip {
		h.Set("Content-Encoding", "gzip")
		return data, nil
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(unpacked)
}
