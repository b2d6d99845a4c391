// SPDX-License-Identifier: Apache-2.0

package xmltree_test

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/epuck-ros2/epuck-driver/sim/robots/xmltree"
)

// element parses one.
func element(t *testing.T, text string) (*xmltree.Document, *xmltree.Element) {
	t.Helper()
	doc, err := xmltree.Parse("f", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return doc, doc.Root
}

func TestNumbers(t *testing.T) {
	const otherwise = 77
	for text, want := range map[string]float64{
		"1": 1, "-1.5": -1.5, "+2": 2, " 3\n": 3, "1e-3": 1e-3, "1E2": 100, ".5": .5, "5.": 5, "0x1p4": 16, "-0": 0,
		"1_0": otherwise, "": otherwise, "1 2": otherwise, "nan": otherwise, "inf": otherwise, "-Infinity": otherwise, "1e400": otherwise,
		"1,5": otherwise, "one": otherwise, "1m": otherwise,
	} {
		doc, e := element(t, `<r a="`+text+`"><c>`+text+`</c></r>`)
		if v := e.Number("a", otherwise); v != want {
			t.Errorf("attribute %q is %g, want %g", text, v, want)
		}
		if v := e.ContentNumber("c", otherwise); v != want {
			t.Errorf("content %q is %g, want %g", text, v, want)
		}
		if fault := doc.Err() != nil; fault != (want == otherwise) {
			t.Errorf("%q: %v", text, doc.Err())
		}
	}
	doc, e := element(t, "<r/>")
	if e.Number("a", otherwise) != otherwise || e.ContentNumber("c", otherwise) != otherwise || doc.Err() != nil {
		t.Error("what is not there is no fault")
	}
}

func TestVectors(t *testing.T) {
	otherwise := r3.Vec{X: 7}
	for text, want := range map[string]r3.Vec{
		"1 2 3": {X: 1, Y: 2, Z: 3}, "\t-1\n0\n1e1 ": {X: -1, Z: 10}, "1 2": otherwise, "1 2 3 4": otherwise, "1 2 z": otherwise, "": otherwise,
	} {
		doc, e := element(t, `<r a="`+text+`"><c>`+text+`</c></r>`)
		if v := e.Vector("a", otherwise); v != want {
			t.Errorf("attribute %q is %v, want %v", text, v, want)
		}
		if v := e.ContentVector("c", otherwise); v != want {
			t.Errorf("content %q is %v, want %v", text, v, want)
		}
		if fault := doc.Err() != nil; fault != (want == otherwise) {
			t.Errorf("%q: %v", text, doc.Err())
		}
	}
}

func TestTruth(t *testing.T) {
	for text, want := range map[string]bool{"true": true, "True": true, "1": true, "t": true, "false": false, "FALSE": false, "0": false} {
		doc, e := element(t, "<r><c> "+text+" </c></r>")
		if got := e.ContentTruth("c", !want); got != want || doc.Err() != nil {
			t.Errorf("%q is %v, %v", text, got, doc.Err())
		}
	}
	for _, text := range []string{"", "yes", "2", "truth"} {
		doc, e := element(t, "<r><c>"+text+"</c></r>")
		if !e.ContentTruth("c", true) || e.ContentTruth("c", false) || doc.Err() == nil {
			t.Errorf("%q: %v", text, doc.Err())
		}
	}
}

func TestCounts(t *testing.T) {
	for text, want := range map[string]int{"3": 3, "3.99": 3, "-3.99": -3, "2147483647": 1<<31 - 1, "1e10": 5, "-1e10": 5, "x": 5} {
		doc, e := element(t, "<r><c>"+text+"</c></r>")
		if got := e.Count("c", 5); got != want || (doc.Err() != nil) != (want == 5) {
			t.Errorf("%q is %d, want %d: %v", text, got, want, doc.Err())
		}
	}
}

func TestContent(t *testing.T) {
	doc, e := element(t, "<r><a> x y\n</a><b/><c><![CDATA[<&>]]> and more</c></r>")
	for name, want := range map[string]string{"a": "x y", "b": "default", "c": "<&> and more", "d": "default"} {
		if got := e.Content(name, "default"); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if doc.Err() != nil {
		t.Error(doc.Err())
	}
}

// A long value is cut in the fault, between two letters.
func TestLongValuesAreCut(t *testing.T) {
	doc, e := element(t, `<r a="`+strings.Repeat("é", 4000)+`"/>`)
	e.Number("a", 0)
	if text := doc.Err().Error(); len(text) > 400 || !strings.Contains(text, "é…") || strings.ContainsRune(text, '\uFFFD') {
		t.Error(text)
	}
}
