// SPDX-License-Identifier: Apache-2.0

package permissions

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Limits of documents, against ones that were made to exhaust memory. 32 levels are many more than either document has.
const (
	maxDepth = 32
	maxNodes = 20_000
)

// node is an element of a document, in the order of the document, which encoding/xml keeps for no struct.
type node struct {
	name     string
	text     string
	children []*node
	attrs    []xml.Attr
}

// parse returns the root element of a document.
func parse(document []byte) (*node, error) {
	d := xml.NewDecoder(bytes.NewReader(document))
	d.CharsetReader = func(charset string, in io.Reader) (io.Reader, error) {
		if strings.EqualFold(charset, "utf-8") || strings.EqualFold(charset, "us-ascii") {
			return in, nil
		}
		return nil, fmt.Errorf("encoding %q is not UTF-8", charset)
	}
	open, count := []*node{{}}, 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		top := open[len(open)-1]
		switch e := token.(type) {
		case xml.StartElement:
			if count++; count > maxNodes || len(open) > maxDepth {
				return nil, fmt.Errorf("more than %d elements or %d levels", maxNodes, maxDepth)
			}
			n := &node{name: e.Name.Local, attrs: e.Copy().Attr}
			top.children = append(top.children, n)
			open = append(open, n)
		case xml.EndElement:
			top.text = strings.TrimSpace(top.text)
			open = open[:len(open)-1]
		case xml.CharData:
			top.text += string(e)
		}
	}
	if root := open[0]; len(root.children) == 1 {
		return root.children[0], nil
	}
	return nil, errors.New("it has no root element")
}

// child returns the only child with a name.
func (n *node) child(name string) (*node, error) {
	list := n.all(name)
	if len(list) != 1 {
		return nil, fmt.Errorf("<%s> has %d elements <%s>, want one", n.name, len(list), name)
	}
	return list[0], nil
}

// all returns the children with a name.
func (n *node) all(name string) (list []*node) {
	for _, c := range n.children {
		if c.name == name {
			list = append(list, c)
		}
	}
	return list
}

// only checks that all children have one of the names, so that no rule is skipped silently.
func (n *node) only(names ...string) error {
	for _, c := range n.children {
		known := false
		for _, name := range names {
			known = known || c.name == name
		}
		if !known {
			return fmt.Errorf("<%s> has an unknown element <%.40s>", n.name, c.name)
		}
	}
	return nil
}

// boolean returns the value of a child of type xs:boolean; a missing one is false if it may be missing.
func (n *node) boolean(name string, optional bool) (bool, error) {
	if optional && len(n.all(name)) == 0 {
		return false, nil
	}
	c, err := n.child(name)
	if err != nil {
		return false, err
	}
	switch strings.ToLower(c.text) {
	case "true", "1":
		return true, nil
	case "false", "0":
		return false, nil
	}
	return false, fmt.Errorf("<%s> is %.40q, want true or false", name, c.text)
}

// domains is a set of domain ids.
type domains [][2]uint32

// domainSet returns the child <domains>.
func (n *node) domainSet() (domains, error) {
	c, err := n.child("domains")
	if err != nil {
		return nil, err
	}
	if err := c.only("id", "id_range"); err != nil {
		return nil, err
	}
	var set domains
	for _, e := range c.children {
		low, high := e, e
		if e.name == "id_range" {
			if low, high, err = e.bounds(); err != nil {
				return nil, err
			}
		}
		from, err := low.id(0)
		if err != nil {
			return nil, err
		}
		to, err := high.id(maxDomain)
		if err != nil {
			return nil, err
		}
		set = append(set, [2]uint32{from, to})
	}
	return set, nil
}

// bounds returns <min> and <max> of a range; either may be missing.
func (n *node) bounds() (low, high *node, err error) {
	if err := n.only("min", "max"); err != nil {
		return nil, nil, err
	}
	low, high = &node{name: "min"}, &node{name: "max"}
	if list := n.all("min"); len(list) > 0 {
		low = list[0]
	}
	if list := n.all("max"); len(list) > 0 {
		high = list[0]
	}
	return low, high, nil
}

// maxDomain is the largest domain id.
const maxDomain = 1<<31 - 1

// id returns the domain id in n, or missing if n is an empty bound of a range.
func (n *node) id(missing uint32) (uint32, error) {
	if n.text == "" && n.name != "id" {
		return missing, nil
	}
	v, err := strconv.ParseUint(n.text, 10, 31)
	if err != nil {
		return 0, fmt.Errorf("<%s> is %.40q, want a domain id", n.name, n.text)
	}
	return uint32(v), nil
}

// has reports whether a domain is in the set.
func (d domains) has(id uint32) bool {
	for _, r := range d {
		if r[0] <= id && id <= r[1] {
			return true
		}
	}
	return false
}
