// SPDX-License-Identifier: Apache-2.0

package ros2

// String returns "reliable" or "best effort".
func (r Reliability) String() string { return pick(int(r), "reliable", "best effort") }

// String returns "volatile" or "transient local".
func (d Durability) String() string { return pick(int(d), "volatile", "transient local") }

// String returns "keep last" or "keep all".
func (h History) String() string { return pick(int(h), "keep last", "keep all") }

// String returns "automatic" or "manual by topic".
func (l Liveliness) String() string { return pick(int(l), "automatic", "manual by topic") }

func pick(i int, names ...string) string {
	if i < len(names) {
		return names[i]
	}
	return "unknown"
}
