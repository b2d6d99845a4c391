// SPDX-License-Identifier: Apache-2.0

package ros2

// String returns "reliable", "best effort" or "reliability best available".
func (r Reliability) String() string {
	return pick(int(r), "reliable", "best effort", "reliability best available")
}

// String returns "volatile", "transient local" or "durability best available".
func (d Durability) String() string {
	return pick(int(d), "volatile", "transient local", "durability best available")
}

// String returns "keep last" or "keep all".
func (h History) String() string { return pick(int(h), "keep last", "keep all") }

// String returns "automatic", "manual by topic" or "best available".
func (l Liveliness) String() string {
	return pick(int(l), "automatic", "manual by topic", "best available")
}

func pick(i int, names ...string) string {
	if i < len(names) {
		return names[i]
	}
	return "unknown"
}
