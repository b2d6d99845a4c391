// SPDX-License-Identifier: Apache-2.0

package main

import (
	"regexp"
	"slices"
	"strings"
)

// term is an expression that this project does not use: a private metaphor, or a phrase that does not say what happens.
type term struct {
	pattern string // regular expression, whole words, case ignored
	use     string // what to write
	allowed string // phrases that contain the term and are fine
}

// vocabulary are the expressions that comments, texts, names and documents avoid. The field's terms and plain verbs
// take their places; docs/reference/glossary.md has those that need a definition.
var vocabulary = []term{
	// Who or what acts.
	{`nobody|somebody|anybody|whoever`, "name the actor: a subscriber, the caller, the transport", ``},
	{`tellers?|comers?`, "source, reporter, or what it is", `newcomers?`},
	{`guests?|visitors?|guesthouse`, "robot, client, or what it is", `qemu-guest-agent`},
	{`crews?`, "workers, workerPool", ``},
	{`rosters?`, "device registry", ``},
	{`sleepers?`, "waiting goroutine, timer", `railway sleepers?`},
	// Places that are not places.
	{`rooms?`, "capacity, space, package", ``},
	{`lots|houses?|doors?|shel(f|ves)`, "package, interface, entry point", `off the shelf|indoors|outdoors`},
	{`roads?`, "path, route, transport", ``},
	// Things that are not these things.
	{`reins?|rudders?|helms?`, "override, command source, twist multiplexer", ``},
	{`wish(es|ed)?`, "request, command", `wish to`},
	{`outfits?`, "equipment, payload", ``},
	{`postures?`, "configuration, pose", ``},
	{`patience`, "timeout", ``},
	{`stride|leaps?`, "step, maximum step", `leap (second|year)s?`},
	{`reels?|bustape`, "recording", ``},
	{`companions?|company`, "piggybacked, or what it is", `registered company`},
	{`farewells?`, "last message, disposal", ``},
	{`riddles?`, "rejected expression", ``},
	{`mouths?|ears?`, "sender, receiver, socket", ``},
	{`deaf`, "without a receiver, not receiving", ``},
	// Verbs that do not say what happens.
	{`tells?|told|telling`, "reports, returns, sends, writes, distinguishes", ``},
	{`(goes|go|went|going) on`, "continues", ``},
	{`stands?|stood|standing`, "is, depends on, is stopped", `stands? for|stands? still|stood still|standing still|stand[- ]?alone|stand[- ]by`},
	{`lies?|lay`, "is, is stored", ``},
	{`comes? up|came up|coming up`, "starts, is initialised, appears", ``},
	{`(has|have|had) come`, "has arrived, is received", ``},
	{`hand(s|ed|ing)? (in|on|out|over|it|them|back)|hands`, "passes, returns, sends; workers, control", `(left|right)[- ]hand on`},
	{`takes? (its|their|his) leave|took (its|their) leave|takes? leave|leave of`, "leaves, is removed, closes", ``},
	{`(let|lets|letting) (go|it go|them go)`, "releases", ``},
	{`befalls?|befell`, "happens to", ``},
	// Phrases.
	{`what is so|is to be had|to be had|by and by`, "the true state, is available, gradually", ``},
	{`in the place of`, "instead of", ``},
	{`who may`, "which clients are authorised", ``},
	{`the way of`, "the path of, as … does", ``},
	{`one after the other`, "in sequence, sequentially", ``},
	{`for ever`, "forever, without limit", ``},
	{`beside`, "next to, in addition to, in the same folder", ``},
	{`farthest`, "maximum lead, most distant", ``},
}

// literal are the folders in which an expression means the thing itself, and why. It holds for the folders below, too.
var literal = []struct {
	terms   []string
	folders []string
	why     string
}{
	{[]string{"guest", "guests"}, []string{"deploy/vm", "deploy/vmtest", "deploy/card"}, "the system in a virtual machine"},
	{[]string{"patience"}, []string{"cmd/epuck-driver/internal/timesources", "cmd/epuck-driver/internal/simulate", "docs/explanation"}, "flags and keys that are deprecated"},
	{[]string{"rooms", "room", "doors", "door"}, []string{"fleet/genericdriver", "navigation", "mapping", "examples/explore", "sim/world", "docs/howto"}, "rooms of a building, which robots map and drive through"},
	{[]string{"hands"}, []string{"calibration/procedure"}, "the user's hands, which turn the robot; a key of the journal"},
	{[]string{"guest"}, []string{"sim/armcost"}, "the emulated program's memory, as QEMU calls it"},
	{[]string{"road", "roads"}, []string{"cosim/traci"}, "SUMO's roads"},
	{[]string{"stride"}, []string{"ros2/dynamic"}, "a field of std_msgs/msg/MultiArrayDimension"},
	{[]string{"stride"}, []string{"navigation"}, "elements from one value of a line to the next"},
	{[]string{"stride"}, []string{"camera", "sim/vcamera", "wifi", "i2c/camsensor"}, "bytes from one row of an image to the next"},
}

var (
	termPatterns = compileTerms()
	anyTerm      = regexp.MustCompile(`\b(?:` + allTerms() + `)\b`)
)

// allTerms returns the alternation of all patterns, which finds the few texts that are worth a closer search.
func allTerms() string {
	var patterns []string
	for _, t := range vocabulary {
		patterns = append(patterns, t.pattern)
	}
	return strings.Join(patterns, "|")
}

type compiledTerm struct{ found, allowed *regexp.Regexp }

func compileTerms() (list []compiledTerm) {
	for _, t := range vocabulary {
		c := compiledTerm{found: regexp.MustCompile(`(?i)\b(?:` + t.pattern + `)\b`)}
		if t.allowed != "" {
			c.allowed = regexp.MustCompile(`(?i)\b(?:` + t.allowed + `)\b`)
		}
		list = append(list, c)
	}
	return list
}

// avoided returns the expressions of a text that the vocabulary excludes in a folder, each with what to write instead.
func avoided(folder, text string) (found []string) {
	if !anyTerm.MatchString(strings.ToLower(text)) {
		return nil
	}
	for i, t := range termPatterns {
		rest := text
		if t.allowed != nil {
			rest = t.allowed.ReplaceAllString(text, "")
		}
		for _, word := range t.found.FindAllString(rest, -1) {
			if !isLiteral(folder, strings.ToLower(word)) {
				found = append(found, word+" ("+vocabulary[i].use+")")
			}
		}
	}
	return found
}

func isLiteral(folder, word string) bool {
	for _, l := range literal {
		if slices.Contains(l.terms, word) && slices.ContainsFunc(l.folders, func(f string) bool {
			return folder == f || strings.HasPrefix(folder, f+"/")
		}) {
			return true
		}
	}
	return false
}
