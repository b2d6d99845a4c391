// SPDX-License-Identifier: Apache-2.0

package rtps

import "iter"

// DropReason says why a participant dropped something that it received or was to send. There is one for each place
// where it does.
type DropReason uint8

// Reasons to drop. What of each is counted, and what it tells, is in its description.
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
	DropSendOverflow
	DropSendError

	numDropReasons
)

// dropTexts holds the name and the description of each reason.
func dropTexts() [numDropReasons][2]string {
	return [numDropReasons][2]string{
		DropShort:                  {"short", "datagrams shorter than an RTPS header; Cyclone DDS wakes its threads with such"},
		DropMalformed:              {"malformed", "datagrams that are no RTPS message or whose rest is invalid"},
		DropNotOurs:                {"not_ours", "submessages addressed to another participant"},
		DropLooped:                 {"looped", "submessages of our own that multicast brought back"},
		DropUnknownParticipant:     {"unknown_participant", "submessages of participants that discovery does not know"},
		DropOrigin:                 {"origin", "submessages that carry a participant's GUID and come from another address"},
		DropUnknownEndpoint:        {"unknown_endpoint", "submessages of or to endpoints that are not matched"},
		DropInlineQoS:              {"inline_qos", "samples with malformed inline QoS"},
		DropLivelinessMessage:      {"liveliness_message", "malformed or forged messages of the writer liveliness protocol"},
		DropStaleCount:             {"stale_count", "heartbeats and requests received again or late, by their count"},
		DropDuplicate:              {"duplicate", "samples and fragments received again"},
		DropSampleSize:             {"sample_too_large", "samples larger than their reader takes"},
		DropSampleWindow:           {"sample_too_early", "samples too far ahead of one that is missing; they are asked for later"},
		DropSampleMemory:           {"sample_memory", "samples ahead of a missing one for which the peer or all have no memory left"},
		DropSampleExpired:          {"sample_expired", "samples that waited for earlier ones longer than their lifespan"},
		DropSampleQueue:            {"sample_queue", "samples, and news of discovery, for user code that does not keep up"},
		DropFragmentSize:           {"fragment_too_large", "fragments of samples larger than their reader takes"},
		DropFragmentWindow:         {"fragment_too_early", "fragments of samples too far ahead, or of too many at once"},
		DropFragmentMemory:         {"fragment_memory", "fragments for which the peer or all have no memory left"},
		DropFragmentContradiction:  {"fragment_contradiction", "fragments that contradict earlier ones of their sample"},
		DropPartial:                {"partial", "samples given up in assembly: no news for long, or newer ones of best effort"},
		DropGap:                    {"gap", "gaps with more holes than are kept; the numbers are asked for again"},
		DropRequest:                {"request", "requests for fragments above those kept for a reader"},
		DropParticipantMalformed:   {"participant_malformed", "participant announcements that are malformed or carry a foreign GUID"},
		DropParticipantForeign:     {"participant_foreign", "participant announcements of another domain or domain tag"},
		DropParticipantLimit:       {"participant_limit", "participant announcements above the largest number, RTPS_MAX_PARTICIPANTS; some displaced another"},
		DropParticipantUnanswered:  {"participant_unanswered", "participant announcements put off because too many others have not answered yet"},
		DropParticipantUnreachable: {"participant_unreachable", "participant announcements without a locator that may be used"},
		DropParticipantSource:      {"participant_source", "participant announcements from an address that is not the participant's"},
		DropEndpointMalformed:      {"endpoint_malformed", "endpoint announcements that are malformed or carry a foreign GUID"},
		DropEndpointLimit:          {"endpoint_limit", "endpoints for which there was no memory, RTPS_DISCOVERY_MEMORY: their announcements or, of who has most, others"},
		DropDisposal:               {"disposal", "disposals that did not come from the participant concerned"},
		DropLocator:                {"locator", "locators that name a place peers may not send us to"},
		DropReply:                  {"reply", "directed announcements withheld by the rate limit"},
		DropSendOverflow:           {"send_overflow", "datagrams dropped because the socket took no more: too many waited, or it was an announcement"},
		DropSendError:              {"send_error", "datagrams that the system refused to send"},
	}
}

// String returns the name of the reason in logs and diagnostics, as in "unknown_participant".
func (r DropReason) String() string {
	if r >= numDropReasons {
		return "unknown"
	}
	return dropTexts()[r][0]
}

// Description says in a few words what is counted, as in "locators that name a place peers may not send us to".
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
