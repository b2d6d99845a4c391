// SPDX-License-Identifier: Apache-2.0

package policy

import "testing"

// fuzzedElsewhere are packages with a decoder and no fuzz target of their own, and why.
var fuzzedElsewhere = map[string]string{
	"sim": "ParseWorld calls sim/world, which is fuzzed",
}

// TestDecodersAreFuzzed: a package that parses foreign bytes has a fuzz target. What it is, its names say: an exported
// Parse…, Decode… or Unmarshal… that takes bytes.
func TestDecodersAreFuzzed(t *testing.T) {
	decoders := 0
	for _, p := range Packages(sources(t)) {
		if !p.Decodes {
			continue
		}
		if decoders++; !p.Fuzzed && fuzzedElsewhere[p.Folder] == "" {
			t.Errorf("%s decodes input and has no fuzz target", p.Folder)
		}
	}
	if decoders < 10 {
		t.Errorf("%d packages decode input: the search is broken", decoders)
	}
}
