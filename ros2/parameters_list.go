// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"slices"
	"strings"
)

// List returns the names of the parameters under the prefixes (of all if there
// are none) and the distinct prefixes that they have, both sorted, as the service
// list_parameters does. depth is how many dot-separated words may follow the
// prefix; 0 is any number.
func (p *Parameters) List(prefixes []string, depth int) (names, parents []string) {
	for _, one := range p.All() {
		if !listed(one.Name, prefixes, depth) {
			continue
		}
		names = append(names, one.Name)
		if i := strings.LastIndexByte(one.Name, '.'); i >= 0 {
			parents = append(parents, one.Name[:i])
		}
	}
	slices.Sort(parents)
	return names, slices.Compact(parents)
}

func listed(name string, prefixes []string, depth int) bool {
	if len(prefixes) == 0 {
		return depth == 0 || strings.Count(name, ".") < depth
	}
	for _, prefix := range prefixes {
		if name == prefix {
			return true
		}
		rest, under := strings.CutPrefix(name, prefix+".")
		if under && (depth == 0 || strings.Count(rest, ".") < depth) {
			return true
		}
	}
	return false
}
