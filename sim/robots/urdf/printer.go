// SPDX-License-Identifier: Apache-2.0

package urdf

import (
	"bytes"
	"encoding/xml"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"
)

// printer writes elements, two spaces deeper each.
type printer struct {
	out   bytes.Buffer
	depth int
}

func (w *printer) bytes() []byte { return w.out.Bytes() }

func (w *printer) text(s string) { w.out.WriteString(s) }

// start writes a start tag without its end.
func (w *printer) start(element string, attributes []string) {
	w.text(strings.Repeat("  ", w.depth) + "<" + element)
	for i := 0; i+1 < len(attributes); i += 2 {
		w.text(" " + attributes[i] + "=\"")
		_ = xml.EscapeText(&w.out, []byte(attributes[i+1])) // a buffer takes all
		w.text("\"")
	}
}

// open begins an element; attributes are names and values in turn.
func (w *printer) open(element string, attributes ...string) {
	w.start(element, attributes)
	w.text(">\n")
	w.depth++
}

func (w *printer) end(element string) {
	w.depth--
	w.text(strings.Repeat("  ", w.depth) + "</" + element + ">\n")
}

// empty writes an element with nothing in it.
func (w *printer) empty(element string, attributes ...string) {
	w.start(element, attributes)
	w.text("/>\n")
}

// content writes an element with a text in it; none without a text.
func (w *printer) content(element, text string) {
	if text == "" {
		return
	}
	w.start(element, nil)
	w.text(">")
	_ = xml.EscapeText(&w.out, []byte(text))
	w.text("</" + element + ">\n")
}

// number is the shortest text that is read as the same number.
func number(v float64) string { return strconv.FormatFloat(v+0, 'g', -1, 64) }

func numbers(values ...float64) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = number(v)
	}
	return strings.Join(words, " ")
}

func vector(v r3.Vec) string { return numbers(v.X, v.Y, v.Z) }
