// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"errors"
	"fmt"
	"strings"
)

// remapKind is the kind of names that a rule applies to.
type remapKind uint8

const (
	remapAny remapKind = iota // topics and services
	remapTopic
	remapService
	remapNodeName
	remapNamespace
)

// remapRule is one "-r [node:][rostopic://|rosservice://]from:=to".
type remapRule struct {
	kind     remapKind
	node     string // base name of the node it is for; empty for all
	from, to string
}

// remap reads the value of -r.
func (p *argParser) remap(value string) error {
	from, to, ok := strings.Cut(value, ":=")
	if !ok {
		return errors.New(`want "from:=to"`)
	}
	var r remapRule
	if !r.cutScheme(&from) {
		if node, rest, ok := strings.Cut(from, ":"); ok {
			if err := ValidateNodeName(node); err != nil {
				return err
			}
			r.node, from = node, rest
			r.cutScheme(&from)
		}
	}
	r.from, r.to = from, to
	if err := r.check(); err != nil {
		return err
	}
	p.out.remaps = append(p.out.remaps, r)
	return nil
}

// cutScheme removes the prefix rostopic:// or rosservice:// from the left side.
func (r *remapRule) cutScheme(from *string) bool {
	if name, ok := strings.CutPrefix(*from, "rostopic://"); ok {
		r.kind, *from = remapTopic, name
		return true
	}
	name, ok := strings.CutPrefix(*from, "rosservice://")
	if ok {
		r.kind, *from = remapService, name
	}
	return ok
}

// check sets the kind and validates both sides.
func (r *remapRule) check() error {
	switch r.from {
	case "__node", "__name":
		r.kind = remapNodeName
		return ValidateNodeName(r.to)
	case "__ns":
		r.kind = remapNamespace
		return ValidateNamespace(r.to)
	}
	if strings.ContainsAny(r.from+r.to, `*\`) {
		return errors.New("wildcards are not supported in remapping rules")
	}
	if err := ValidateName(r.from); err != nil {
		return fmt.Errorf("left side: %w", err)
	}
	if err := ValidateName(r.to); err != nil {
		return fmt.Errorf("right side: %w", err)
	}
	return nil
}

// NodeName returns the name of a node after __node and __ns: the first rule for all nodes or for the node's name
// applies, first to the name, then to the namespace of the node with that name. The leading slash of namespace is
// optional.
func (a Args) NodeName(name, namespace string) (NodeName, error) {
	if !strings.HasPrefix(namespace, "/") {
		namespace = "/" + namespace
	}
	if err := ValidateNodeName(name); err != nil {
		return NodeName{}, err
	}
	if err := ValidateNamespace(namespace); err != nil {
		return NodeName{}, err
	}
	if to, ok := a.firstRule(remapNodeName, name); ok {
		name = to
	}
	if to, ok := a.firstRule(remapNamespace, name); ok {
		namespace = to
	}
	n := NodeName{Namespace: namespace, Name: name}
	return n, checkLength("full node name", n.FullName(), maxNodeName)
}

func (a Args) firstRule(kind remapKind, node string) (to string, ok bool) {
	for _, r := range a.remaps {
		if r.kind == kind && (r.node == "" || r.node == node) {
			return r.to, true
		}
	}
	return "", false
}

// ResolveName expands the name of a topic as the node's program writes it, then
// applies the first remapping rule for the node whose left side, expanded too, is
// that name. A result is not remapped again.
func (a Args) ResolveName(name string, node NodeName) (string, error) {
	return a.resolve(name, node, remapTopic)
}

// ResolveServiceName does for services what [Args.ResolveName] does for topics. Rules apply to both unless they begin
// with rostopic:// or rosservice://.
func (a Args) ResolveServiceName(name string, node NodeName) (string, error) {
	return a.resolve(name, node, remapService)
}

func (a Args) resolve(name string, node NodeName, kind remapKind) (string, error) {
	full, err := ExpandName(name, node)
	if err != nil {
		return "", err
	}
	for _, r := range a.remaps {
		if (r.kind != remapAny && r.kind != kind) || (r.node != "" && r.node != node.Name) {
			continue
		}
		from, err := ExpandName(r.from, node)
		if err != nil {
			return "", fmt.Errorf("remapping rule %s:=%s: %w", r.from, r.to, err)
		}
		if from == full {
			return ExpandName(r.to, node)
		}
	}
	return full, nil
}
