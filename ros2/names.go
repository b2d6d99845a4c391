// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"fmt"
	"strings"
)

// Longest names, in bytes (rmw: the DDS limit of 255 less the length of prefixes).
const (
	maxNodeName  = 255
	maxNamespace = 245
	maxTopicName = 247
	maxTypeName  = 255
)

// NameError describes an invalid name, with the position. It matches [ErrInvalidName].
type NameError struct {
	// What is the kind of name: "node name", "namespace", "topic name" …
	What string
	Name string
	// Pos is the byte at which the rule is broken, from 0.
	Pos    int
	Reason string
}

// Error shows the name with the position counted from 1.
func (e *NameError) Error() string {
	return fmt.Sprintf("invalid %s %q: %s (character %d)", e.What, e.Name, e.Reason, e.Pos+1)
}

// Unwrap returns [ErrInvalidName].
func (e *NameError) Unwrap() error { return ErrInvalidName }

// ValidateNodeName checks the base name of a node: letters, digits and
// underscores, not beginning with a digit, at most 255 bytes.
func ValidateNodeName(name string) error {
	const what = "node name"
	if name == "" {
		return &NameError{what, name, 0, "it is empty"}
	}
	for i := 0; i < len(name); i++ {
		if !isWord(name[i]) {
			return &NameError{what, name, i, "only letters, digits and underscores are allowed"}
		}
	}
	if isDigit(name[0]) {
		return &NameError{what, name, 0, "it begins with a digit"}
	}
	return checkLength(what, name, maxNodeName)
}

// ValidateNamespace checks a namespace: "/" or a full name.
func ValidateNamespace(ns string) error {
	const what = "namespace"
	if ns == "/" {
		return nil
	}
	if err := validateFull(what, ns); err != nil {
		return err
	}
	return checkLength(what, ns, maxNamespace)
}

// ValidateFullName checks the full name of a topic or service, after expansion: it begins with a slash, followed by
// words that do not begin with a digit, separated by slashes.
func ValidateFullName(name string) error {
	const what = "full topic name"
	if err := validateFull(what, name); err != nil {
		return err
	}
	return checkLength(what, name, maxTopicName)
}

// ValidateName checks the name of a topic or service as a program writes it,
// before expansion: relative, absolute, or private with a leading "~", with
// substitutions in braces.
func ValidateName(name string) error {
	const what = "topic name"
	rest, pos := name, 0
	fail := func(reason string) error { return &NameError{what, name, pos, reason} }
	if name == "" {
		return fail("it is empty")
	}
	if name[0] == '~' {
		rest, pos = name[1:], 1
		if rest == "" {
			return nil
		}
		if rest[0] != '/' {
			return fail(`"~" must be followed by "/"`)
		}
	}
	start := true // of a word between slashes
	for len(rest) > 0 {
		n := 1
		switch c := rest[0]; {
		case c == '/':
			if len(rest) == 1 {
				return fail("it ends with a slash")
			}
			if rest[1] == '/' {
				pos++
				return fail("two slashes in a row")
			}
		case c == '~':
			return fail(`"~" is only allowed at the beginning`)
		case c == '{':
			if n = substitution(rest); n == 0 {
				return fail("the brace opens no substitution such as {node}")
			}
		case c == '}':
			return fail("the brace closes nothing")
		case !isWord(c):
			return fail("only letters, digits, underscores and slashes are allowed")
		case start && isDigit(c):
			return fail("a word begins with a digit")
		}
		start = rest[0] == '/'
		rest, pos = rest[n:], pos+n
	}
	return nil
}

// substitution returns the length of the braces at the start of s with the word
// between them, 0 if there is none.
func substitution(s string) int {
	end := strings.IndexByte(s, '}')
	if end < 2 {
		return 0
	}
	for i := 1; i < end; i++ {
		if !isWord(s[i]) || (i == 1 && isDigit(s[i])) {
			return 0
		}
	}
	return end + 1
}

// ValidateTypeName checks the name of a type as received from a network: words of letters, digits and underscores that
// do not begin with a digit, joined by "/", as in "std_msgs/msg/String", or by "::" for a DDS type that is not a ROS
// interface (IDL 4.2, 7.2.3 and 7.4.6).
func ValidateTypeName(name string) error {
	const what = "type name"
	start := true // of a word
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case isWord(c) && !(start && isDigit(c)):
			start = false
		case isWord(c):
			return &NameError{what, name, i, "a word begins with a digit"}
		case start || i == len(name)-1:
			return &NameError{what, name, i, "a word is missing"}
		case c == '/':
			start = true
		case c == ':' && name[i+1] == ':':
			start = true
			i++
		default:
			return &NameError{what, name, i, `only letters, digits, underscores, "/" and "::" are allowed`}
		}
	}
	if start {
		return &NameError{what, name, len(name), "a word is missing"}
	}
	return checkLength(what, name, maxTypeName)
}

func validateFull(what, name string) error {
	if name == "" {
		return &NameError{what, name, 0, "it is empty"}
	}
	if name[0] != '/' {
		return &NameError{what, name, 0, "it does not begin with a slash"}
	}
	for i := 1; i < len(name); i++ {
		switch c, last := name[i], name[i-1]; {
		case c != '/' && !isWord(c):
			return &NameError{what, name, i, "only letters, digits, underscores and slashes are allowed"}
		case c == '/' && last == '/':
			return &NameError{what, name, i, "two slashes in a row"}
		case isDigit(c) && last == '/':
			return &NameError{what, name, i, "a word begins with a digit"}
		}
	}
	if i := len(name) - 1; name[i] == '/' {
		return &NameError{what, name, i, "it ends with a slash"}
	}
	return nil
}

func checkLength(what, name string, limit int) error {
	if len(name) > limit {
		return &NameError{what, name, limit, fmt.Sprintf("it is %d bytes long, %d are allowed", len(name), limit)}
	}
	return nil
}

func isWord(c byte) bool {
	return c == '_' || isDigit(c) || (c|0x20 >= 'a' && c|0x20 <= 'z')
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// ExpandName returns the full name of a topic or service that a program of the given node uses: "scan" is prefixed with
// the node's namespace, "~/reset" with the node's full name, "/tf" is unchanged; {node}, {ns} and {namespace} are
// replaced. Remapping is applied afterwards, see [Args.ResolveName].
func ExpandName(name string, node NodeName) (string, error) {
	if err := ValidateName(name); err != nil {
		return "", err
	}
	full := name
	if rest, private := strings.CutPrefix(full, "~"); private {
		full = node.FullName() + rest
	}
	full, err := substitute(full, node)
	if err != nil {
		return "", err
	}
	if !strings.HasPrefix(full, "/") {
		full = join(node.Namespace, full)
	}
	if err := ValidateFullName(full); err != nil {
		return "", err
	}
	return full, nil
}

// ExpandNames is [ExpandName] for names that a user has typed, where no remapping applies: topics of a bag, for
// example.
func ExpandNames(names []string, node NodeName) ([]string, error) {
	return eachName(names, func(name string) (string, error) { return ExpandName(name, node) })
}

// substitute replaces the substitutions, whose braces ValidateName has checked.
func substitute(name string, node NodeName) (string, error) {
	var b strings.Builder
	pos := 0
	for {
		open := strings.IndexByte(name[pos:], '{')
		if open < 0 {
			b.WriteString(name[pos:])
			return b.String(), nil
		}
		open += pos
		end := open + strings.IndexByte(name[open:], '}')
		b.WriteString(name[pos:open])
		switch key := name[open+1 : end]; key {
		case "node":
			b.WriteString(node.Name)
		case "ns", "namespace":
			b.WriteString(node.Namespace)
		default:
			return "", &NameError{"topic name", name, open, "unknown substitution {" + key + "}"}
		}
		pos = end + 1
	}
}
