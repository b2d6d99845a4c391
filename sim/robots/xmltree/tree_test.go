// SPDX-License-Identifier: Apache-2.0

package xmltree_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/robots/xmltree"
)

func ExampleParse() {
	doc, err := xmltree.Parse("lamp.xml", []byte("<lamp watts=\"5\" volts=\"12\">\n<bulb/>\n<shade/></lamp>"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(doc.Root.Number("watts", 0), "W")
	doc.Root.Child("bulb")
	for _, r := range doc.Unread() {
		fmt.Printf("line %d: %s\n", r.Line, r.Text)
	}
	// Output:
	// 5 W
	// line 1: volts of <lamp>
	// line 3: <shade> in <lamp>
}

// Text around elements is ignored, and lines are counted through it.
func TestWhatIsNoElement(t *testing.T) {
	text := "\uFEFF<?xml version=\"1.0\" encoding=\"UTF-8\"?>\r\n<!-- a\r\ncomment -->\r\n<r>\r\n<?pi x?><a:b xmlns:a=\"u\"/>\r\n<!-- --> &lt;&#65; </r>\r\n<!-- after -->\r\n"
	doc, err := xmltree.Parse("f", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r := doc.Root
	if r.Name != "r" || r.Line != 4 || r.Text != "<A" || len(r.Children) != 1 || r.Children[0].Name != "a:b" || r.Children[0].Line != 5 {
		t.Errorf("%+v", r)
	}
	if r.Child("a:b") == nil || r.Child("b") != nil || len(doc.Unread()) != 0 {
		t.Errorf("a name is with its prefix: %v", doc.Unread())
	}
}

// At a bound a file is read, and beyond it not.
func TestBoundsOfFiles(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("<a>", n) + strings.Repeat("</a>", n) }
	wide := func(n int) string { return "<r>" + strings.Repeat("<a/>", n-1) + "</r>" }
	long := func(n int) string { return "<r>" + strings.Repeat(" ", n-7) + "</r>" }
	many := func(n int) string {
		var w strings.Builder
		for i := range n {
			fmt.Fprintf(&w, " a%d=\"\"", i)
		}
		return "<r" + w.String() + "/>"
	}
	for name, make := range map[string]struct {
		text  func(n int) string
		bound int
	}{"deep": {deep, xmltree.MaxDepth}, "wide": {wide, xmltree.MaxElements}, "long": {long, xmltree.MaxSize}, "many": {many, xmltree.MaxAttributes}} {
		if _, err := xmltree.Parse(name, []byte(make.text(make.bound))); err != nil {
			t.Error(err)
		}
		if _, err := xmltree.Parse(name, []byte(make.text(make.bound+1))); !errors.Is(err, xmltree.ErrSyntax) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// tree is an element as the test has it.
type tree struct {
	name, text string
	attributes []string // names are a0, a1, …
	children   []*tree
}

func trees(t *rapid.T, depth int) *tree {
	text := rapid.StringOfN(rapid.SampledFrom([]rune("ab<&>\"' é\n")), 0, 5, -1)
	e := &tree{
		name: rapid.SampledFrom([]string{"a", "b", "p:c"}).Draw(t, "name"), text: text.Draw(t, "text"),
		attributes: rapid.SliceOfN(text, 0, 3).Draw(t, "attributes"),
	}
	if depth > 0 {
		for range rapid.IntRange(0, 3).Draw(t, "children") {
			e.children = append(e.children, trees(t, depth-1))
		}
	}
	return e
}

func (e *tree) print(w *strings.Builder) {
	fmt.Fprintf(w, "<%s", e.name)
	for i, a := range e.attributes {
		fmt.Fprintf(w, " a%d=\"", i)
		_ = xml.EscapeText(w, []byte(a))
		w.WriteString("\"")
	}
	w.WriteString(">")
	_ = xml.EscapeText(w, []byte(e.text))
	for _, c := range e.children {
		c.print(w)
	}
	fmt.Fprintf(w, "</%s>\n", e.name)
}

// same compares, and asks for every second attribute; it counts the others.
func (e *tree) same(t *rapid.T, got *xmltree.Element) (unread int) {
	if got.Name != e.name || got.Text != strings.TrimSpace(e.text) || len(got.Children) != len(e.children) {
		t.Fatalf("%q %q with %d children, want %+v", got.Name, got.Text, len(got.Children), e)
	}
	for i, want := range e.attributes {
		if i%2 == 1 {
			unread++
			continue
		}
		if v, ok := got.Attribute(fmt.Sprint("a", i)); !ok || v != want {
			t.Fatalf("attribute %d of %s is %q, want %q", i, e.name, v, want)
		}
	}
	for i, c := range e.children {
		got.All(c.name)
		unread += c.same(t, got.Children[i])
	}
	return unread
}

// A tree that is printed is read as it was, and what was not asked for is listed: no more and no less.
func TestPrintedAndRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := trees(t, 4)
		var w strings.Builder
		e.print(&w)
		doc, err := xmltree.Parse("f", []byte(w.String()))
		if err != nil {
			t.Fatalf("%v in %s", err, w.String())
		}
		if want, got := e.same(t, doc.Root), len(doc.Unread()); got != want {
			t.Fatalf("%d unread, want %d: %v", got, want, doc.Unread())
		}
		doc.Root.Know()
		if left := doc.Unread(); len(left) > 0 {
			t.Fatal(left)
		}
	})
}

// FuzzParse: whatever the bytes are, there is an error or a tree within the bounds, whose lines only rise.
func FuzzParse(f *testing.F) {
	f.Add([]byte("<?xml version=\"1.0\"?><r a=\"1\"><b>x</b>\n<c/></r>"))
	f.Add([]byte("<r><![CDATA[x]]>&amp;<!-- --></r>"))
	f.Add([]byte("<a><a><a></a></a></a>"))
	f.Fuzz(func(t *testing.T, text []byte) {
		doc, err := xmltree.Parse("f", text)
		if err != nil {
			if !errors.Is(err, xmltree.ErrSyntax) {
				t.Fatal(err)
			}
			return
		}
		last := 1
		var walk func(e *xmltree.Element, depth int)
		walk = func(e *xmltree.Element, depth int) {
			if e.Line < last || depth > xmltree.MaxDepth || e.Name == "" {
				t.Fatalf("<%s> in line %d, %d deep, after line %d", e.Name, e.Line, depth, last)
			}
			last = e.Line
			for _, c := range e.Children {
				walk(c, depth+1)
			}
		}
		walk(doc.Root, 1)
	})
}
