// SPDX-License-Identifier: Apache-2.0

package keystore

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// Class is who is in a class, from a file in YAML. Each name is that of an enclave without the slash, and that of a
// robot also its namespace.
type Class struct {
	// Domain is the ROS domain, 0 … 232.
	Domain uint32 `yaml:"domain"`
	// Protection is encrypt, or sign: messages are then readable without a key, but written only with one.
	Protection string `yaml:"protection"`
	// Robots are the robots.
	Robots []string `yaml:"robots"`
	// Teachers have keys for all robots.
	Teachers []string `yaml:"teachers"`
	// Students have keys for some robots, and may read all.
	Students map[string][]string `yaml:"students"`
	// Readers have keys that read all robots and drive none.
	Readers []string `yaml:"readers"`
}

// ParseClass reads the description of a class. The error wraps ErrClass and names the line or the key.
func ParseClass(document []byte) (*Class, error) {
	c := &Class{Protection: "encrypt"}
	d := yaml.NewDecoder(bytes.NewReader(document))
	d.KnownFields(true)
	if err := d.Decode(c); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrClass, err)
	}
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrClass, err)
	}
	return c, nil
}

// check returns the first mistake.
func (c *Class) check() error {
	switch {
	case c.Domain > 232: // DDSI-RTPS 9.6.1.1
		return fmt.Errorf("domain: %d is not 0 … 232", c.Domain)
	case c.Protection != "encrypt" && c.Protection != "sign":
		return fmt.Errorf("protection: %.20q, want encrypt or sign", c.Protection)
	case len(c.Robots) == 0:
		return errors.New("robots: there is none")
	}
	seen := map[string]bool{}
	for _, name := range c.names() {
		if err := checkName("/" + name); err != nil {
			return err
		}
		if strings.Contains(name, "/") { // it would have a namespace inside another one's
			return fmt.Errorf("%q has a slash", name)
		}
		if seen[name] {
			return fmt.Errorf("%q is there twice", name)
		}
		seen[name] = true
	}
	for _, student := range slices.Sorted(maps.Keys(c.Students)) {
		for _, robot := range c.Students[student] {
			if !slices.Contains(c.Robots, robot) {
				return fmt.Errorf("students: %s: there is no robot %.80q", student, robot)
			}
		}
	}
	return nil
}

// names returns the names of all, in the order of the file, students sorted.
func (c *Class) names() []string {
	return slices.Concat(c.Robots, c.Teachers, slices.Sorted(maps.Keys(c.Students)), c.Readers)
}

// CreateClass makes the keystore of a class, or brings it up to date: keys that are there stay, governance and rights
// become those of the class, and enclaves that it does not name are left alone. It returns the names of its enclaves.
func CreateClass(folder string, c *Class, now func() time.Time) ([]string, error) {
	governance := classGovernance(c.Domain, c.Protection == "encrypt")
	k, err := create(folder, governance, now)
	if err != nil {
		return nil, err
	}
	if err := writeFile(k.governance(".xml"), []byte(governance), 0o644); err != nil {
		return nil, err
	}
	if err := k.sign([]byte(governance), k.governance(".p7s")); err != nil {
		return nil, err
	}
	p := c.policy()
	var names []string
	for i := range p.enclaves {
		name := p.enclaves[i].path
		if err := k.CreateEnclave(name, c.Domain); err != nil {
			return nil, err
		}
		if err := k.CreatePermission(name, p, c.Domain); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

// policy returns the rights of everybody in the class.
func (c *Class) policy() *Policy {
	p := &Policy{}
	for _, name := range c.Robots {
		p.enclaves = append(p.enclaves, robot(name))
	}
	for _, name := range c.Teachers {
		p.enclaves = append(p.enclaves, *everything("/" + name))
	}
	for _, name := range slices.Sorted(maps.Keys(c.Students)) {
		p.enclaves = append(p.enclaves, c.member(name, c.Students[name]))
	}
	for _, name := range c.Readers {
		p.enclaves = append(p.enclaves, c.member(name, nil))
	}
	return p
}

// shared are the topics outside namespaces that every node of ROS 2 publishes.
func shared() []string { return []string{"/rosout", "/parameter_events"} }

// robot is the enclave of a robot: all in its namespace, and what the driver publishes outside it.
func robot(name string) enclave {
	e := enclave{path: "/" + name}
	inside := "/" + name + "/*"
	e.add("publish", true, append(shared(), inside, "/tf", "/tf_static", "/diagnostics")...)
	e.add("subscribe", true, append(shared(), inside, "/clock", "/tf", "/tf_static")...)
	e.add("reply", true, inside)
	e.add("request", true, inside)
	e.add("execute", true, inside)
	return e
}

// member is the enclave of a student or a reader. It reads everything, has nodes of its own outside the robots'
// namespaces, in a namespace of its name also with topics, and may drive the given robots.
func (c *Class) member(name string, robots []string) enclave {
	e := enclave{path: "/" + name}
	e.add("subscribe", true, "/*")
	e.add("publish", true, append(shared(), "/"+name+"/*")...)
	for _, r := range c.Robots { // who answers as a robot could mislead others
		if !slices.Contains(robots, r) {
			e.add("reply", false, "/"+r+"/*")
		}
	}
	e.add("reply", true, "/*")
	for _, service := range []string{"get_parameters", "get_parameter_types", "list_parameters", "describe_parameters"} {
		e.add("request", true, "/*/"+service)
	}
	for _, r := range robots {
		inside := "/" + r + "/*"
		e.add("publish", true, inside)
		e.add("request", true, inside)
		e.add("call", true, inside)
		e.add("execute", true, inside)
	}
	return e
}
