// SPDX-License-Identifier: Apache-2.0

package dynamic

import (
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// ROS's tools read and write YAML 1.1, where "yes" is a boolean, 010 is eight and 1:30 is ninety. The YAML package
// implements 1.2, so plain scalars are resolved here (yaml.org/type, the YAML 1.1 type repository).

// scalarKind is the kind of a plain scalar.
type scalarKind uint8

const (
	scalarString scalarKind = iota
	scalarNull
	scalarBool
	scalarInt
	scalarFloat
	scalarOther // timestamps, merge and value keys, which are neither strings nor values of messages
)

var (
	yamlBool  = regexp.MustCompile(`^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$`)
	yamlInt   = regexp.MustCompile(`^[-+]?(?:0b[0-1_]+|0[0-7_]+|0|[1-9][0-9_]*|0x[0-9a-fA-F_]+|[1-9][0-9_]*(?::[0-5]?[0-9])+)$`)
	yamlFloat = regexp.MustCompile(`^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?` +
		`|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?` +
		`|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*` +
		`|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`)
	yamlTime = regexp.MustCompile(`^\d\d\d\d-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?))?$` +
		`|^\d\d\d\d-\d\d-\d\d$`)
)

// plainKind returns the kind of unquoted text.
func plainKind(text string) scalarKind {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return scalarNull
	case "=", "<<":
		return scalarOther
	}
	switch {
	case yamlBool.MatchString(text):
		return scalarBool
	case yamlFloat.MatchString(text):
		return scalarFloat
	case yamlInt.MatchString(text):
		return scalarInt
	case yamlTime.MatchString(text):
		return scalarOther
	}
	return scalarString
}

// scalarOf returns the value of a scalar node: nil, bool, *big.Int, float64 or
// string.
func scalarOf(n *yaml.Node) any {
	text := n.Value
	kind := scalarString
	switch {
	case n.Style&yaml.TaggedStyle != 0:
		kind = taggedKind(n.ShortTag())
	case n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0:
		kind = plainKind(text)
	}
	switch kind {
	case scalarNull:
		return nil
	case scalarBool:
		switch strings.ToLower(text) {
		case "yes", "true", "on":
			return true
		}
		return false
	case scalarInt:
		if v, ok := parseYAMLInt(text); ok {
			return v
		}
	case scalarFloat:
		if v, ok := parseYAMLFloat(text); ok {
			return v
		}
	}
	return text
}

func taggedKind(tag string) scalarKind {
	switch tag {
	case "!!null":
		return scalarNull
	case "!!bool":
		return scalarBool
	case "!!int":
		return scalarInt
	case "!!float":
		return scalarFloat
	}
	return scalarString
}

// parseYAMLInt reads the integers of YAML 1.1.
func parseYAMLInt(text string) (*big.Int, bool) {
	text = strings.ReplaceAll(text, "_", "")
	digits := strings.TrimLeft(text, "+-")
	negative := strings.HasPrefix(text, "-")
	base := 10
	switch {
	case strings.HasPrefix(digits, "0b"):
		digits, base = digits[2:], 2
	case strings.HasPrefix(digits, "0x"):
		digits, base = digits[2:], 16
	case len(digits) > 1 && digits[0] == '0' && !strings.Contains(digits, ":"):
		digits, base = digits[1:], 8
	}
	v := new(big.Int)
	for i, part := range strings.Split(digits, ":") {
		p, ok := new(big.Int).SetString(part, base)
		if !ok {
			return nil, false
		}
		if i > 0 {
			v.Mul(v, big.NewInt(60))
		}
		v.Add(v, p)
	}
	if negative {
		v.Neg(v)
	}
	return v, true
}

// parseYAMLFloat reads the floating-point numbers of YAML 1.1.
func parseYAMLFloat(text string) (float64, bool) {
	text = strings.ToLower(strings.ReplaceAll(text, "_", ""))
	sign := 1.0
	if strings.HasPrefix(text, "-") {
		sign = -1
	}
	text = strings.TrimLeft(text, "+-")
	switch text {
	case ".inf":
		return math.Inf(int(sign)), true
	case ".nan":
		return math.Float64frombits(0x7ff8 << 48), true // the NaN of other languages
	}
	v := 0.0
	for part := range strings.SplitSeq(text, ":") {
		p, err := strconv.ParseFloat(part, 64)
		if err != nil && !math.IsInf(p, 0) {
			return 0, false
		}
		v = v*60 + p
	}
	return sign * v, true
}
