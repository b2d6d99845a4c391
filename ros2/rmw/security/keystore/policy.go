// SPDX-License-Identifier: Apache-2.0

package keystore

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Policy says what enclaves may do, in the words of ROS.
type Policy struct{ enclaves []enclave }

// policyVersion is the version of policies that SROS2 knows.
const policyVersion = "0.2.0"

// The elements of a policy (sros2/policy/schemas/policy.xsd). What has no place in it is in a field of type unknown.
type (
	xmlPolicy struct {
		XMLName  xml.Name     `xml:"policy"`
		Version  string       `xml:"version,attr"`
		Enclaves []xmlEnclave `xml:"enclaves>enclave"`
		Unknown  unknown      `xml:",any"`
	}
	xmlEnclave struct {
		Path     string        `xml:"path,attr"`
		Profiles []xmlProfiles `xml:"profiles"`
		Unknown  unknown       `xml:",any"`
	}
	xmlProfiles struct {
		Profile  []xmlProfile `xml:"profile"`
		Metadata []struct{}   `xml:"metadata"`
		Unknown  unknown      `xml:",any"`
	}
	xmlProfile struct {
		Namespace string    `xml:"ns,attr"`
		Node      string    `xml:"node,attr"`
		Topics    []xmlList `xml:"topics"`
		Services  []xmlList `xml:"services"`
		Actions   []xmlList `xml:"actions"`
		Unknown   unknown   `xml:",any"`
	}
	xmlList struct {
		Attributes []xml.Attr `xml:",any,attr"`
		Names      []xmlName  `xml:",any"`
	}
	xmlName struct {
		XMLName xml.Name
		Text    string  `xml:",chardata"`
		Unknown unknown `xml:",any"`
	}
	unknown []struct{ XMLName xml.Name }
)

// check returns an error for the first unknown element.
func (u unknown) check(in string) error {
	if len(u) == 0 {
		return nil
	}
	if strings.HasSuffix(u[0].XMLName.Space, "XInclude") {
		return fmt.Errorf("<%s> has <xi:include>, which is not read here: xmllint --xinclude FILE writes it out", in)
	}
	return fmt.Errorf("<%s> has an unknown element <%.40s>", in, u[0].XMLName.Local)
}

// ParsePolicy reads a policy file of SROS2. The error wraps ErrPolicy.
func ParsePolicy(document []byte) (*Policy, error) {
	p, err := parsePolicy(document)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPolicy, err)
	}
	return p, nil
}

func parsePolicy(document []byte) (*Policy, error) {
	var root xmlPolicy
	d := xml.NewDecoder(bytes.NewReader(document))
	if err := d.Decode(&root); err != nil {
		return nil, err
	}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if _, ok := token.(xml.StartElement); ok {
			return nil, errors.New("there is something after </policy>")
		}
	}
	if root.Version != policyVersion {
		return nil, fmt.Errorf("version is %.20q, want %s", root.Version, policyVersion)
	}
	if err := root.Unknown.check("policy"); err != nil {
		return nil, err
	}
	p := &Policy{}
	for _, x := range root.Enclaves {
		e, err := x.enclave()
		if err != nil {
			return nil, fmt.Errorf("enclave %.80q: %w", x.Path, err)
		}
		p.enclaves = append(p.enclaves, *e)
	}
	return p, nil
}

// enclave translates the rules of an enclave.
func (x *xmlEnclave) enclave() (*enclave, error) {
	if err := errors.Join(checkName(x.Path), x.Unknown.check("enclave")); err != nil {
		return nil, err
	}
	e := &enclave{path: x.Path}
	for _, profiles := range x.Profiles {
		if err := profiles.Unknown.check("profiles"); err != nil {
			return nil, err
		}
		for i := range profiles.Profile {
			if err := profiles.Profile[i].translate(e); err != nil {
				return nil, err
			}
		}
	}
	return e, nil
}

// translate adds the rules of a profile to those of its enclave.
func (x *xmlProfile) translate(e *enclave) error {
	if err := x.Unknown.check("profile"); err != nil {
		return err
	}
	if !strings.HasPrefix(x.Namespace, "/") {
		return fmt.Errorf("profile of node %.80q: ns is %.80q, want one that begins with /", x.Node, x.Namespace)
	}
	for _, kind := range []struct {
		element string
		lists   []xmlList
	}{{"topic", x.Topics}, {"service", x.Services}, {"action", x.Actions}} {
		for i := range kind.lists {
			if err := kind.lists[i].translate(e, kind.element, x); err != nil {
				return fmt.Errorf("<%ss>: %w", kind.element, err)
			}
		}
	}
	return nil
}

// translate adds the rules of a list of topics, services or actions.
func (l *xmlList) translate(e *enclave, element string, in *xmlProfile) error {
	var names []string
	for _, n := range l.Names {
		if n.XMLName.Local != element {
			return unknown{{n.XMLName}}.check(element + "s")
		}
		name := in.resolve(strings.TrimSpace(n.Text))
		if len(n.Unknown) > 0 || name == "" {
			return fmt.Errorf("<%s> is not one name", element)
		}
		names = append(names, name)
	}
	for _, a := range l.Attributes {
		if a.Name.Space != "" { // xml:base
			continue
		}
		v, ok := verbs[a.Name.Local]
		if !ok || v.of != element {
			return fmt.Errorf("unknown attribute %.40q", a.Name.Local)
		}
		if a.Value != "ALLOW" && a.Value != "DENY" {
			return fmt.Errorf("%s is %.20q, want ALLOW or DENY", a.Name.Local, a.Value)
		}
		e.add(a.Name.Local, a.Value == "ALLOW", names...)
	}
	return nil
}

// resolve returns the full name of a relative name, a private one (~), or "" for an empty one.
func (x *xmlProfile) resolve(name string) string {
	namespace := strings.TrimSuffix(x.Namespace, "/") + "/"
	switch {
	case name == "" || name[0] == '/':
		return name
	case name[0] == '~':
		return namespace + x.Node + name[1:]
	}
	return namespace + name
}

// enclave returns what a policy has for an enclave.
func (p *Policy) enclave(path string) (*enclave, error) {
	for i := range p.enclaves {
		if p.enclaves[i].path == path {
			return &p.enclaves[i], nil
		}
	}
	return nil, fmt.Errorf("%w: the policy has no enclave %s", ErrEnclave, path)
}
