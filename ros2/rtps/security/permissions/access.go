// SPDX-License-Identifier: Apache-2.0

package permissions

import (
	"bytes"
	"crypto/x509"
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/security"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/security/smime"
)

// Config is what a participant knows of its rights.
type Config struct {
	// Authority is the permissions authority, which has signed both documents.
	Authority *x509.Certificate
	// Governance and Permissions are the signed documents: governance.p7s, permissions.p7s.
	Governance, Permissions []byte
	// Identity is the participant's own certificate.
	Identity *x509.Certificate
	// Domain is the domain that it joins.
	Domain uint32
	// Now returns the time by which validity is checked. It defaults to time.Now.
	Now func() time.Time
}

// Access is access control for a participant. It implements security.Access and is safe for concurrent use.
type Access struct {
	config Config
	rule   *domainRule
	local  *rights
}

// New checks the documents. The error wraps an error of package smime, ErrGovernance, ErrPermissions, ErrSubject or
// security.ErrDenied if the governance does not let the participant join the domain.
func New(c Config) (*Access, error) {
	if c.Now == nil {
		c.Now = time.Now
	}
	text, err := smime.Verify(c.Governance, c.Authority)
	if err != nil {
		return nil, fmt.Errorf("governance: %w", err)
	}
	g, err := ParseGovernance(text)
	if err != nil {
		return nil, err
	}
	a := &Access{config: c, rule: g.domain(c.Domain)}
	if a.rule == nil {
		return nil, fmt.Errorf("%w: no rule for domain %d", ErrGovernance, c.Domain)
	}
	if a.local, err = a.check(c.Permissions, c.Identity); err != nil {
		return nil, fmt.Errorf("own permissions: %w", err)
	}
	return a, nil
}

// Domain implements security.Access.
func (a *Access) Domain() security.DomainRules { return a.rule.rules }

// Topic implements security.Access. A topic that the governance does not mention has the strongest protection, and
// no participant may use it.
func (a *Access) Topic(name string) security.TopicRules {
	if r, ok := a.rule.topic(name); ok {
		return r
	}
	return security.TopicRules{
		Discovery: true, Liveliness: true, ReadControl: true, WriteControl: true, Metadata: security.Encrypt, Data: security.Encrypt,
	}
}

// Local implements security.Access.
func (a *Access) Local() security.Permissions { return a.local }

// Remote returns the permissions of another participant, from the signed document that it presents and its certificate.
// Where the governance has no access control for joining, a participant without valid permissions has none.
func (a *Access) Remote(document []byte, identity *x509.Certificate) (security.Permissions, error) {
	r, err := a.check(bytes.TrimRight(document, "\x00"), identity)
	if err == nil {
		return r, nil
	}
	if a.rule.rules.JoinControl {
		return nil, err
	}
	return &rights{access: a, refused: err}, nil
}

// check returns what a signed document grants to a subject.
func (a *Access) check(document []byte, identity *x509.Certificate) (*rights, error) {
	text, err := smime.Verify(document, a.config.Authority)
	if err != nil {
		return nil, fmt.Errorf("permissions: %w", err)
	}
	d, err := ParseDocument(text)
	if err != nil {
		return nil, err
	}
	g, err := d.find(identity)
	if err != nil {
		return nil, err
	}
	if err := g.valid(a.config.Now()); err != nil {
		return nil, err
	}
	if a.rule.rules.JoinControl && !g.joins(a.config.Domain) {
		return nil, fmt.Errorf("%w: grant %q allows nothing in domain %d", security.ErrDenied, g.name, a.config.Domain)
	}
	return &rights{access: a, grant: g}, nil
}

// rights are what one participant may do: those of its grant, or none for a reason.
type rights struct {
	access  *Access
	grant   *grant
	refused error
}

// Publish implements security.Permissions.
func (r *rights) Publish(topic string, partitions []string) error {
	return r.check(true, "publish", topic, partitions)
}

// Subscribe implements security.Permissions.
func (r *rights) Subscribe(topic string, partitions []string) error {
	return r.check(false, "subscribe to", topic, partitions)
}

func (r *rights) check(publish bool, verb, topic string, partitions []string) error {
	a := r.access
	if r.refused != nil {
		return fmt.Errorf("%w: to %s %s: %w", security.ErrDenied, verb, topic, r.refused)
	}
	if _, ok := a.rule.topic(topic); !ok {
		return fmt.Errorf("%w: the governance has no rule for topic %s", security.ErrDenied, topic)
	}
	if err := r.grant.valid(a.config.Now()); err != nil {
		return err
	}
	if !r.grant.allows(a.config.Domain, publish, topic, partitions) {
		return fmt.Errorf("%w: grant %q does not allow to %s %s in domain %d", security.ErrDenied, r.grant.name, verb, topic, a.config.Domain)
	}
	return nil
}
