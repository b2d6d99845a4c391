// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"
)

// paramsFile reads the value of --params-file.
func (p *argParser) paramsFile(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrParamsFile, err)
	}
	overrides, err := parseParams(data, path)
	if err != nil {
		return err
	}
	p.out.overrides = append(p.out.overrides, overrides...)
	return nil
}

// param reads the value of -p: "[node:]name:=value", the value being YAML.
func (p *argParser) param(value string) error {
	name, text, ok := strings.Cut(value, ":=")
	if !ok {
		return errors.New(`want "name:=value"`)
	}
	o := override{node: "/**", name: name, origin: "-p " + value}
	if node, rest, ok := strings.Cut(name, ":"); ok {
		o.node, o.name = absolute(node), rest
		if err := validateNodePattern(o.node); err != nil {
			return err
		}
	}
	if err := validateParameterName(o.name); err != nil {
		return err
	}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return err
	}
	if len(doc.Content) == 0 {
		return errors.New("the value is empty")
	}
	raw, err := rawFromYAML(doc.Content[0])
	if err != nil {
		return err
	}
	o.raw = raw
	p.out.overrides = append(p.out.overrides, o)
	return nil
}

func (p *argParser) enclave(value string) error {
	if err := ValidateNamespace(value); err != nil {
		return err
	}
	p.out.enclave = value
	return nil
}

func absolute(name string) string {
	if strings.HasPrefix(name, "/") {
		return name
	}
	return "/" + name
}
