// SPDX-License-Identifier: Apache-2.0

package ros2

import "strings"

// ExpandName turns the name of a topic or service, as a program of the given
// node writes it, into its full name: "scan" goes into the node's namespace,
// "~/reset" under the node's full name, "/tf" stays; {node}, {ns} and
// {namespace} are replaced. Remapping comes after, see [Args.Remap].
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
