// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"
)

// TestAvoidedExpressionsAreFound: metaphors are found, the same letters in other words and allowed phrases are not.
func TestAvoidedExpressionsAreFound(t *testing.T) {
	for _, tt := range []struct {
		folder, text, want string
	}{
		{"sim", "// Truth returns what is so.", "what is so"},
		{"sim", "there is no room in the queue", "room"},
		{"ros2", "the reader hands it on", "hands it"},
		{"ros2", "who is told? Nobody", "Nobody told"},
		{"web", splitName("TestNothingHoldsTheHandThatStopsTheWheels"), ""},
		{"web", splitName("TestTheViewerGoesOn"), "Goes On"},
		{"web", splitName("newTellerOf"), "Teller"},
		{"deploy/vm", "the guest's console", ""},
		{"fleet", "the guest's console", "guest"},
		{"camera/yuv", "stride of a row", ""},
		{"sim", "stride of the clock", "stride"},
		{"sim", "left-hand rule, handle, handler, by hand, hand-written", ""},
		{"sim", "a standard classroom, in bedrooms, a newcomer, installed stand-alone", ""},
		{"sim", "k stands for the gain; the robot stands still", ""},
		{"sim", "the robot stands beside it", "stands beside"},
	} {
		var got []string
		for _, found := range avoided(tt.folder, tt.text) {
			word, _, _ := strings.Cut(found, " (")
			got = append(got, word)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %q: found %q, want %q", tt.folder, tt.text, got, tt.want)
		}
	}
}
