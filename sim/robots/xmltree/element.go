// SPDX-License-Identifier: Apache-2.0

package xmltree

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// Document is a file as a tree.
type Document struct {
	Root    *Element
	name    string
	errs    []error
	faults  int
	ignored []description.Remark
}

// Element is an element of a file. What is asked for counts as read; asking an element that is nil gives nothing.
type Element struct {
	Name     string // with its prefix, as it is written
	Line     int    // where its start tag ends, from 1
	Text     string // without space around it
	Children []*Element

	doc        *Document
	attributes []attribute
	text       strings.Builder
	read       bool
}

type attribute struct {
	name, value string
	read        bool
}

// Failf records a fault of the file, with its name, the line and the element. Reading continues: Err returns them all.
func (e *Element) Failf(format string, args ...any) {
	if e.doc.faults++; e.doc.faults > maxErrors {
		return
	}
	e.doc.errs = append(e.doc.errs, fmt.Errorf("%w: %s:%d: <%s>: "+format, append([]any{ErrContent, e.doc.name, e.Line, e.Name}, args...)...))
}

// Err gives the faults that were noted, maxErrors at most, nil if there are none. It matches [ErrContent].
func (d *Document) Err() error {
	if more := d.faults - len(d.errs); more > 0 {
		return errors.Join(errors.Join(d.errs...), fmt.Errorf("%w: %s: %d more", ErrContent, d.name, more))
	}
	return errors.Join(d.errs...)
}

// All gives the children of a name.
func (e *Element) All(name string) (found []*Element) {
	if e == nil {
		return nil
	}
	for _, c := range e.Children {
		if c.Name == name {
			c.read = true
			found = append(found, c)
		}
	}
	return found
}

// Child gives the child of a name, nil if there is none. Two are a fault.
func (e *Element) Child(name string) *Element {
	found := e.All(name)
	if len(found) == 0 {
		return nil
	}
	if len(found) > 1 {
		found[1].Failf("<%s> has one of these, in line %d", e.Name, found[0].Line)
	}
	return found[0]
}

// Attribute gives an attribute, and whether it is there.
func (e *Element) Attribute(name string) (string, bool) {
	if e == nil {
		return "", false
	}
	for i := range e.attributes {
		if a := &e.attributes[i]; a.name == name {
			a.read = true
			return a.value, true
		}
	}
	return "", false
}

// Needed gives an attribute that must be there and not be empty.
func (e *Element) Needed(name string) string {
	v, ok := e.Attribute(name)
	if e != nil && (!ok || v == "") {
		e.Failf("it has no %s", name)
	}
	return v
}

// Know marks an element with all that is in it as understood: it says nothing that counts here.
func (e *Element) Know() {
	if e == nil {
		return
	}
	e.read = true
	for i := range e.attributes {
		e.attributes[i].read = true
	}
	for _, c := range e.Children {
		c.Know()
	}
}

// Ignore marks an element with all that is in it as one without a meaning here, and says what it is.
func (e *Element) Ignore(format string, args ...any) {
	e.Know()
	e.doc.ignored = append(e.doc.ignored, description.Remark{Line: e.Line, Text: fmt.Sprintf(format, args...)})
}

// Unread lists what is ignored or was not asked for, in the order of the file: of an element that was not read that
// alone, of one that was its attributes and children.
func (d *Document) Unread() (found []description.Remark) {
	found = slices.Clone(d.ignored)
	var walk func(e *Element)
	walk = func(e *Element) {
		for _, a := range e.attributes {
			if !a.read && !strings.HasPrefix(a.name, "xmlns") {
				found = append(found, description.Remark{Line: e.Line, Text: fmt.Sprintf("%s of <%s>", a.name, e.Name)})
			}
		}
		for _, c := range e.Children {
			if c.read {
				walk(c)
				continue
			}
			found = append(found, description.Remark{Line: c.Line, Text: fmt.Sprintf("<%s> in <%s>", c.Name, e.Name)})
		}
	}
	walk(d.Root)
	slices.SortStableFunc(found, func(a, b description.Remark) int { return a.Line - b.Line })
	return found
}
