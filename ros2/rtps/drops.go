// SPDX-License-Identifier: Apache-2.0

package rtps

import "iter"

// DropReason is the reason why a participant dropped something that it received or was to send. There is one for each
// place in the code that drops.
type DropReason uint8

// Reasons to drop. Description returns what each one counts.
const (
	DropShort DropReason = iota
	DropMalformed
	DropNotOurs
	DropLooped
	DropUnknownParticipant
	DropOrigin
	DropUnknownEndpoint
	DropInlineQoS
	DropLivelinessMessage
	DropStaleCount
	DropDuplicate
	DropSampleSize
	DropSampleWindow
	DropSampleMemory
	DropSampleExpired
	DropSampleQueue
	DropFragmentSize
	DropFragmentWindow
	DropFragmentMemory
	DropFragmentContradiction
	DropPartial
	DropGap
	DropRequest
	DropParticipantMalformed
	DropParticipantForeign
	DropParticipantLimit
	DropParticipantUnanswered
	DropParticipantUnreachable
	DropParticipantSource
	DropEndpointMalformed
	DropEndpointLimit
	DropDisposal
	DropLocator
	DropReply
	DropShared
	DropSecurity
	DropSendOverflow
	DropSendError

	numDropReasons
)

// dropTexts holds the name and the description of each reason.
func dropTexts() [numDropReasons][2]string {
	return [numDropReasons][2]string{
		DropShort:                  {"short", "datagrams shorter than an RTPS header; Cyclone DDS sends such to wake up its threads"},
		DropMalformed:              {"malformed", "datagrams that are not RTPS messages, or are invalid after a valid part"},
		DropNotOurs:                {"not_ours", "submessages addressed to another participant"},
		DropLooped:                 {"looped", "the participant's own submessages, looped back by multicast"},
		DropUnknownParticipant:     {"unknown_participant", "submessages of participants that discovery does not know"},
		DropOrigin:                 {"origin", "submessages that carry a participant's GUID but come from another address"},
		DropUnknownEndpoint:        {"unknown_endpoint", "submessages of or to endpoints that are not matched"},
		DropInlineQoS:              {"inline_qos", "samples with malformed inline QoS"},
		DropLivelinessMessage:      {"liveliness_message", "malformed or forged messages of the writer liveliness protocol"},
		DropStaleCount:             {"stale_count", "heartbeats and requests received again or late, by their count"},
		DropDuplicate:              {"duplicate", "samples and fragments received again"},
		DropSampleSize:             {"sample_too_large", "samples larger than their reader accepts"},
		DropSampleWindow:           {"sample_too_early", "samples too far ahead of a missing one; they are requested later"},
		DropSampleMemory:           {"sample_memory", "samples ahead of a missing one, for lack of memory of the peer or of all peers"},
		DropSampleExpired:          {"sample_expired", "samples that waited for earlier ones longer than their lifespan"},
		DropSampleQueue:            {"sample_queue", "samples, and discovery events, for user code that does not keep up"},
		DropFragmentSize:           {"fragment_too_large", "fragments of samples larger than their reader accepts"},
		DropFragmentWindow:         {"fragment_too_early", "fragments of samples too far ahead, or of too many samples at once"},
		DropFragmentMemory:         {"fragment_memory", "fragments, for lack of memory of the peer or of all peers"},
		DropFragmentContradiction:  {"fragment_contradiction", "fragments that contradict earlier ones of their sample"},
		DropPartial:                {"partial", "samples abandoned in assembly: no fragment for long, or a newer best-effort sample"},
		DropGap:                    {"gap", "gaps with more intervals than are kept; the numbers are requested again"},
		DropRequest:                {"request", "requests for fragments above the number kept for a reader"},
		DropParticipantMalformed:   {"participant_malformed", "participant announcements that are malformed or carry a foreign GUID"},
		DropParticipantForeign:     {"participant_foreign", "participant announcements of another domain or domain tag"},
		DropParticipantLimit:       {"participant_limit", "participant announcements above the limit RTPS_MAX_PARTICIPANTS; some replaced another participant"},
		DropParticipantUnanswered:  {"participant_unanswered", "participant announcements deferred because too many others have not answered yet"},
		DropParticipantUnreachable: {"participant_unreachable", "participant announcements without a usable locator"},
		DropParticipantSource:      {"participant_source", "participant announcements from an address that is not the participant's"},
		DropEndpointMalformed:      {"endpoint_malformed", "endpoint announcements that are malformed or carry a foreign GUID"},
		DropEndpointLimit:          {"endpoint_limit", "endpoint announcements, or endpoints of the participant with the most, for lack of RTPS_DISCOVERY_MEMORY"},
		DropDisposal:               {"disposal", "disposals that did not come from the participant concerned"},
		DropLocator:                {"locator", "locators with an address that peers must not direct traffic to"},
		DropReply:                  {"reply", "directed announcements withheld by the rate limit"},
		DropShared:                 {"shared_memory", "samples in shared memory that were overwritten before they were read, or cannot be read; they are requested again"},
		DropSecurity:               {"security", "messages that DDS Security refused: not protected as the governance demands, or with a wrong code"},
		DropSendOverflow:           {"send_overflow", "datagrams dropped because the socket was full: the queue was full, or it was an announcement"},
		DropSendError:              {"send_error", "datagrams that the system failed to send"},
	}
}

// String returns the name of the reason in logs and diagnostics, as in "unknown_participant".
func (r DropReason) String() string {
	if r >= numDropReasons {
		return "unknown"
	}
	return dropTexts()[r][0]
}

// Description returns a short description of what is counted, as in "samples and fragments received again".
func (r DropReason) Description() string {
	if r >= numDropReasons {
		return ""
	}
	return dropTexts()[r][1]
}

// Drops counts what was dropped, by reason.
type Drops [numDropReasons]uint64

// All yields every reason with its count, zeros included, in their order.
func (d *Drops) All() iter.Seq2[DropReason, uint64] {
	return func(yield func(DropReason, uint64) bool) {
		for r, n := range d {
			if !yield(DropReason(r), n) {
				return
			}
		}
	}
}

// sum adds up some reasons.
func (d *Drops) sum(reasons ...DropReason) (n uint64) {
	for _, r := range reasons {
		n += d[r]
	}
	return n
}

// drop counts something dropped.
func (p *Participant) drop(r DropReason) { p.stats.Dropped[r]++ }
