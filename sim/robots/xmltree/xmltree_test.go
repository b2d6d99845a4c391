// SPDX-License-Identifier: Apache-2.0

package xmltree_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/robots/xmltree"
)

func TestSyntaxNamesFileAndLine(t *testing.T) {
	for want, text := range map[string]string{
		`f:3: </b> closes <a> of line 2`:              "<r>\n<a>\n</b></r>",
		`f:1: </a> closes nothing`:                    "</a>",
		`f:2: <a> is never closed`:                    "<r>\n<a>\n",
		`f: there is no element in it`:                "<!-- nothing -->",
		`f:2: <s> comes after the end of <r>`:         "<r/>\n<s/>",
		`f:1: text outside of all elements`:           "x<r/>",
		`f:1: <r> has a twice`:                        `<r a="1" a="2"/>`,
		`f:1: document types are not read`:            `<!DOCTYPE r [<!ENTITY e "x">]><r/>`,
		`f:2: invalid character entity &e;`:           "<r>\n&e;</r>",
		`it is written in latin1; only UTF-8`:         `<?xml version="1.0" encoding="latin1"?><r/>`,
		`more than 64 elements deep`:                  strings.Repeat("<a>", 65),
		`f:1: more than 200000 elements`:              "<r>" + strings.Repeat("<a/>", 200_000) + "</r>",
		`f: 8388613 bytes are more than 8388608`:      "<r/>" + strings.Repeat("\n", 8<<20+1),
		`f:1: attribute name without = in element`:    "<r a/>",
		`f:1: invalid UTF-8`:                          "<r>\xff</r>",
		`f:1: illegal character code U+0000`:          "<r>\x00</r>",
		`f:1: unexpected EOF`:                         "<",
		`f:1: unquoted or missing attribute value in`: "<r a=1/>",
	} {
		doc, err := xmltree.Parse("f", []byte(text))
		if !errors.Is(err, xmltree.ErrSyntax) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, %v, want %q", text, doc, err, want)
		}
	}
}

func TestContentNamesElementAndLine(t *testing.T) {
	const text = "<?xml version=\"1.0\" encoding=\"US-ASCII\"?>\n<r n=\"1 2\" v=\"1 2 x\" e=\"\">\n<a>1e999</a>\n<b>maybe</b><c>1e10</c><c2>7.9</c2><d/>\n<d/></r>"
	doc, err := xmltree.Parse("f", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r := doc.Root
	if r.Number("n", 7) != 7 || r.Vector("v", r3.Vec{X: 8}).X != 8 || r.Needed("e") != "" || r.ContentNumber("a", 9) != 9 ||
		!r.ContentTruth("b", true) || r.Count("c", 3) != 3 || r.Count("c2", 0) != 7 || r.Child("d") == nil {
		t.Error("a fault gives the default")
	}
	err = doc.Err()
	for _, want := range []string{
		`f:2: <r>: n is "1 2": 2 numbers, not 1`, `f:2: <r>: v is "1 2 x": "x" is no finite number`, `f:2: <r>: it has no e`,
		`f:3: <a>: it is "1e999": "1e999" is no finite number`, `f:4: <b>: it is "maybe", neither true nor false`,
		`f:2: <r>: c is 1e+10, which is beyond any count`, `f:5: <d>: <r> has one of these, in line 4`,
	} {
		if !errors.Is(err, xmltree.ErrContent) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nwant %q", err, want)
		}
	}
}

func TestUnreadIsListed(t *testing.T) {
	doc, err := xmltree.Parse("f", []byte("<r xmlns:gz=\"x\" a=\"1\" b=\"2\">\n<c>\n<d e=\"1\"/><f/></c><g h=\"1\"><i/></g>\n<k><l/></k></r>"))
	if err != nil {
		t.Fatal(err)
	}
	doc.Root.Attribute("a")
	doc.Root.Child("c").Child("d")
	doc.Root.Child("k").Know()
	if got := fmt.Sprint(doc.Unread()); got != "[{1 b of <r>} {3 e of <d>} {3 <f> in <c>} {3 <g> in <r>}]" {
		t.Error(got)
	}
	for range 30 {
		doc.Root.Failf("again")
	}
	if err := doc.Err(); strings.Count(err.Error(), "again") != xmltree.MaxErrors || !strings.Contains(err.Error(), "10 more") {
		t.Error(err)
	}
}

// An element that is not there gives nothing but defaults.
func TestNoElement(t *testing.T) {
	var e *xmltree.Element
	e.Know()
	if e.Child("a") != nil || e.All("a") != nil || e.Number("a", 1) != 1 || e.Content("a", "b") != "b" || e.Needed("a") != "" ||
		e.ContentVector("a", r3.Vec{Z: 2}).Z != 2 || e.Vector("a", r3.Vec{Z: 2}).Z != 2 || e.Count("a", 4) != 4 || !e.ContentTruth("a", true) {
		t.Error("not the defaults")
	}
}
