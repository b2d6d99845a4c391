// SPDX-License-Identifier: Apache-2.0

package permissions

import (
	"fmt"
	"strings"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/security"
)

// Governance is the protection of domains and topics (9.4.1.2).
type Governance struct{ rules []domainRule }

// domainRule is the rule of some domains.
type domainRule struct {
	domains domains
	rules   security.DomainRules
	topics  []topicRule
}

// topicRule is the rule of the topics that match an expression.
type topicRule struct {
	expression string
	rules      security.TopicRules
}

// ParseGovernance reads a governance document, the content of governance.p7s. The error wraps ErrGovernance.
func ParseGovernance(document []byte) (*Governance, error) {
	g, err := parseGovernance(document)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrGovernance, err)
	}
	return g, nil
}

func parseGovernance(document []byte) (*Governance, error) {
	root, err := parse(document)
	if err != nil {
		return nil, err
	}
	list, err := root.child("domain_access_rules")
	if err != nil {
		return nil, err
	}
	if err := list.only("domain_rule"); err != nil {
		return nil, err
	}
	g := &Governance{}
	for _, n := range list.children {
		r, err := parseDomainRule(n)
		if err != nil {
			return nil, err
		}
		g.rules = append(g.rules, r)
	}
	return g, nil
}

// field reads a part of a rule.
type field struct {
	name string
	read func(name string) error
}

// readAll reads fields until one has an error.
func readAll(fields []field) error {
	for _, f := range fields {
		if err := f.read(f.name); err != nil {
			return err
		}
	}
	return nil
}

func parseDomainRule(n *node) (r domainRule, err error) {
	if err := n.only("domains", "allow_unauthenticated_participants", "enable_join_access_control", "discovery_protection_kind",
		"liveliness_protection_kind", "rtps_protection_kind", "topic_access_rules"); err != nil {
		return r, err
	}
	if r.domains, err = n.domainSet(); err != nil {
		return r, err
	}
	boolean := func(v *bool) func(string) error {
		return func(name string) (err error) { *v, err = n.boolean(name, false); return err }
	}
	kind := func(v *security.Kind) func(string) error {
		return func(name string) (err error) { *v, err = n.kind(name, security.EncryptWithOrigin); return err }
	}
	if err := readAll([]field{
		{"allow_unauthenticated_participants", boolean(&r.rules.AllowUnauthenticated)},
		{"enable_join_access_control", boolean(&r.rules.JoinControl)},
		{"discovery_protection_kind", kind(&r.rules.Discovery)},
		{"liveliness_protection_kind", kind(&r.rules.Liveliness)},
		{"rtps_protection_kind", kind(&r.rules.RTPS)},
	}); err != nil {
		return r, err
	}
	topics, err := n.child("topic_access_rules")
	if err != nil {
		return r, err
	}
	if err := topics.only("topic_rule"); err != nil {
		return r, err
	}
	for _, t := range topics.children {
		rule, err := parseTopicRule(t)
		if err != nil {
			return r, err
		}
		r.topics = append(r.topics, rule)
	}
	return r, nil
}

func parseTopicRule(n *node) (r topicRule, err error) {
	if err := n.only("topic_expression", "enable_discovery_protection", "enable_liveliness_protection", "enable_read_access_control",
		"enable_write_access_control", "metadata_protection_kind", "data_protection_kind"); err != nil {
		return r, err
	}
	expression, err := n.child("topic_expression")
	if err != nil {
		return r, err
	}
	r.expression = expression.text
	boolean := func(v *bool, optional bool) func(string) error {
		return func(name string) (err error) { *v, err = n.boolean(name, optional); return err }
	}
	return r, readAll([]field{
		{"enable_discovery_protection", boolean(&r.rules.Discovery, false)},
		{"enable_liveliness_protection", boolean(&r.rules.Liveliness, true)}, // since DDS Security 1.1
		{"enable_read_access_control", boolean(&r.rules.ReadControl, false)},
		{"enable_write_access_control", boolean(&r.rules.WriteControl, false)},
		{"metadata_protection_kind", func(name string) (err error) {
			r.rules.Metadata, err = n.kind(name, security.EncryptWithOrigin)
			return err
		}},
		{"data_protection_kind", func(name string) (err error) { r.rules.Data, err = n.kind(name, security.Encrypt); return err }},
	})
}

// kinds are the names of the protection kinds.
var kinds = [...]string{"NONE", "SIGN", "ENCRYPT", "SIGN_WITH_ORIGIN_AUTHENTICATION", "ENCRYPT_WITH_ORIGIN_AUTHENTICATION"}

// kind returns the protection kind of a child, at most the given one.
func (n *node) kind(name string, most security.Kind) (security.Kind, error) {
	c, err := n.child(name)
	if err != nil {
		return security.None, err
	}
	for i, k := range kinds[:most+1] {
		if strings.EqualFold(c.text, k) {
			return security.Kind(i), nil
		}
	}
	return security.None, fmt.Errorf("<%s> is %.40q, want one of %s", name, c.text, strings.Join(kinds[:most+1], ", "))
}

// domain returns the first rule for a domain, or nil.
func (g *Governance) domain(id uint32) *domainRule {
	for i := range g.rules {
		if g.rules[i].domains.has(id) {
			return &g.rules[i]
		}
	}
	return nil
}

// topic returns the first rule that matches a topic.
func (r *domainRule) topic(name string) (security.TopicRules, bool) {
	for _, t := range r.topics {
		if match(t.expression, name) {
			return t.rules, true
		}
	}
	return security.TopicRules{}, false
}
