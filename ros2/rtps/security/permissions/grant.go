// SPDX-License-Identifier: Apache-2.0

package permissions

import (
	"crypto/x509"
	"fmt"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/security"
)

// Document is a permissions document (9.4.1.3): grants to participants.
type Document struct{ grants []grant }

// grant is what one subject may do.
type grant struct {
	name      string
	subject   subject
	notBefore time.Time
	notAfter  time.Time
	rules     []rule
	allow     bool // whatever no rule matches
}

// rule allows or denies topics in domains.
type rule struct {
	allow     bool
	domains   domains
	publish   []criterion
	subscribe []criterion
}

// criterion matches topics in partitions.
type criterion struct {
	topics     []string
	partitions []string // nil: the default partition
}

// ParseDocument reads a permissions document, the content of permissions.p7s. The error wraps ErrPermissions.
func ParseDocument(document []byte) (*Document, error) {
	d, err := parseDocument(document)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPermissions, err)
	}
	return d, nil
}

func parseDocument(document []byte) (*Document, error) {
	root, err := parse(document)
	if err != nil {
		return nil, err
	}
	list, err := root.child("permissions")
	if err != nil {
		return nil, err
	}
	if err := list.only("grant"); err != nil {
		return nil, err
	}
	d := &Document{}
	for _, n := range list.children {
		g, err := parseGrant(n)
		if err != nil {
			return nil, err
		}
		d.grants = append(d.grants, g)
	}
	return d, nil
}

func parseGrant(n *node) (g grant, err error) {
	for _, a := range n.attrs {
		if a.Name.Local == "name" {
			g.name = a.Value
		}
	}
	if err := n.only("subject_name", "validity", "allow_rule", "deny_rule", "default"); err != nil {
		return g, err
	}
	name, err := n.child("subject_name")
	if err != nil {
		return g, err
	}
	if g.subject, err = parseSubject(name.text); err != nil {
		return g, err
	}
	if g.notBefore, g.notAfter, err = parseValidity(n); err != nil {
		return g, err
	}
	for _, c := range n.children {
		if c.name != "allow_rule" && c.name != "deny_rule" {
			continue
		}
		r, err := parseRule(c)
		if err != nil {
			return g, err
		}
		g.rules = append(g.rules, r)
	}
	last, err := n.child("default")
	if err != nil {
		return g, err
	}
	if g.allow = last.text == "ALLOW"; !g.allow && last.text != "DENY" {
		return g, fmt.Errorf("<default> is %.40q, want ALLOW or DENY", last.text)
	}
	return g, nil
}

func parseValidity(n *node) (from, to time.Time, err error) {
	v, err := n.child("validity")
	if err != nil {
		return from, to, err
	}
	for _, e := range []struct {
		name string
		to   *time.Time
	}{{"not_before", &from}, {"not_after", &to}} {
		c, err := v.child(e.name)
		if err != nil {
			return from, to, err
		}
		if *e.to, err = parseTime(c.text); err != nil {
			return from, to, fmt.Errorf("<%s>: %w", e.name, err)
		}
	}
	return from, to, nil
}

// parseTime reads an xs:dateTime; without a zone it is UTC (9.4.1.3.2.2).
func parseTime(text string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%.40q is no date as in 2026-01-31T12:00:00", text)
}

func parseRule(n *node) (r rule, err error) {
	r.allow = n.name == "allow_rule"
	if err := n.only("domains", "publish", "subscribe", "relay"); err != nil {
		return r, err
	}
	if r.domains, err = n.domainSet(); err != nil {
		return r, err
	}
	for _, c := range n.children {
		if c.name != "publish" && c.name != "subscribe" {
			continue
		}
		e, err := parseCriterion(c)
		if err != nil {
			return r, err
		}
		if c.name == "publish" {
			r.publish = append(r.publish, e)
		} else {
			r.subscribe = append(r.subscribe, e)
		}
	}
	return r, nil
}

func parseCriterion(n *node) (c criterion, err error) {
	if err := n.only("topics", "partitions", "data_tags"); err != nil {
		return c, err
	}
	topics, err := n.child("topics")
	if err != nil {
		return c, err
	}
	if c.topics, err = texts(topics, "topic"); err != nil {
		return c, err
	}
	for _, p := range n.all("partitions") {
		list, err := texts(p, "partition")
		if err != nil {
			return c, err
		}
		c.partitions = append(c.partitions, list...)
	}
	return c, nil
}

// texts returns the texts of the children, which all have one name.
func texts(n *node, name string) (list []string, err error) {
	if err := n.only(name); err != nil {
		return nil, err
	}
	for _, c := range n.children {
		list = append(list, c.text)
	}
	return list, nil
}

// find returns the grant for the subject of a certificate.
func (d *Document) find(cert *x509.Certificate) (*grant, error) {
	s := subjectOf(cert)
	for i := range d.grants {
		if slices.Equal(d.grants[i].subject, s) {
			return &d.grants[i], nil
		}
	}
	return nil, fmt.Errorf("%w: %q", ErrSubject, cert.Subject)
}

// valid returns an error if the grant is not valid at a time.
func (g *grant) valid(at time.Time) error {
	if at.Before(g.notBefore) || !at.Before(g.notAfter) {
		return fmt.Errorf("%w: grant %q is valid from %s to %s", security.ErrDenied, g.name, g.notBefore.Format(time.RFC3339), g.notAfter.Format(time.RFC3339))
	}
	return nil
}

// joins reports whether the grant lets its subject join a domain: a rule allows something there (9.4.1.3.2.3).
func (g *grant) joins(domain uint32) bool {
	return g.allow || slices.ContainsFunc(g.rules, func(r rule) bool { return r.allow && r.domains.has(domain) })
}

// allows reports whether the grant allows a topic in partitions; the first rule that matches decides.
func (g *grant) allows(domain uint32, publish bool, topic string, partitions []string) bool {
	if len(partitions) == 0 {
		partitions = []string{""}
	}
	for _, r := range g.rules {
		list := r.subscribe
		if publish {
			list = r.publish
		}
		if r.domains.has(domain) && slices.ContainsFunc(list, func(c criterion) bool { return c.matches(r.allow, topic, partitions) }) {
			return r.allow
		}
	}
	return g.allow
}

// matches reports whether a criterion matches a topic. To be allowed, all of the partitions must match, to be denied,
// any of them; what names no partition denies all of them, but allows only the default one.
func (c *criterion) matches(allow bool, topic string, partitions []string) bool {
	if !slices.ContainsFunc(c.topics, func(e string) bool { return match(e, topic) }) {
		return false
	}
	expressions := c.partitions
	if len(expressions) == 0 {
		if !allow {
			return true
		}
		expressions = []string{""}
	}
	for _, p := range partitions {
		matched := slices.ContainsFunc(expressions, func(e string) bool { return match(e, p) })
		if matched != allow {
			return !allow
		}
	}
	return allow
}
