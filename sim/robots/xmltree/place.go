// SPDX-License-Identifier: Apache-2.0

package xmltree

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
)

// named finds which link or joint the text of a fault is about: the first that it names.
var named = regexp.MustCompile(`\b(link|joint) ("(?:[^"\\]|\\.)*")`)

// In says of faults of the whole robot, one or several joined, in which file they are, and in which line and element
// if they are about a link or a joint.
func (d *Document) In(err error) error {
	if err == nil {
		return nil
	}
	several, joined := err.(interface{ Unwrap() []error })
	if !joined {
		return d.place(err, nil)
	}
	places := map[[2]string]int{}
	d.Root.places(places)
	var all []error
	for _, one := range several.Unwrap() {
		all = append(all, d.place(one, places))
	}
	return errors.Join(all...)
}

// place says where one fault is.
func (d *Document) place(err error, places map[[2]string]int) error {
	if m := named.FindStringSubmatch(err.Error()); m != nil {
		if name, bad := strconv.Unquote(m[2]); bad == nil {
			if line := places[[2]string{m[1], name}]; line > 0 {
				return fmt.Errorf("%s:%d: <%s>: %w", d.name, line, m[1], err)
			}
		}
	}
	return fmt.Errorf("%s: %w", d.name, err)
}

// places notes where links and joints are, the last of a name.
func (e *Element) places(to map[[2]string]int) {
	for _, c := range e.Children {
		if c.Name == "link" || c.Name == "joint" {
			for _, a := range c.attributes {
				if a.name == "name" {
					to[[2]string{c.Name, a.value}] = c.Line
				}
			}
		}
		c.places(to)
	}
}
