// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestCompatible(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(offered, requested *QoS)
		want   []PolicyID
	}{
		{"defaults", func(o, r *QoS) {}, nil},
		{"best effort, asked for reliable", func(o, r *QoS) { o.Reliability, r.Reliability = BestEffort, Reliable },
			[]PolicyID{PolicyReliability}},
		{"reliable both", func(o, r *QoS) { r.Reliability = Reliable }, nil},
		{"volatile, asked for transient-local", func(o, r *QoS) { r.Durability = TransientLocal }, []PolicyID{PolicyDurability}},
		{"transient-local, asked for volatile", func(o, r *QoS) { o.Durability = TransientLocal }, nil},
		{"no deadline, asked for one", func(o, r *QoS) { r.Deadline = Second }, []PolicyID{PolicyDeadline}},
		{"shorter deadline than asked for", func(o, r *QoS) { o.Deadline, r.Deadline = Second, 2*Second }, nil},
		{"latency budget", func(o, r *QoS) { o.LatencyBudget = 1 }, []PolicyID{policyLatencyBudget}},
		{"liveliness kind", func(o, r *QoS) { r.Liveliness = LivelinessManualByTopic }, []PolicyID{PolicyLiveliness}},
		{"liveliness lease", func(o, r *QoS) { r.LivelinessLease = Second }, []PolicyID{PolicyLiveliness}},
		{"liveliness better than asked for", func(o, r *QoS) {
			o.Liveliness, o.LivelinessLease, r.LivelinessLease = LivelinessManualByTopic, Second, Second
		}, nil},
		{"ownership", func(o, r *QoS) { o.Ownership = OwnershipExclusive }, []PolicyID{PolicyOwnership}},
		{"destination order", func(o, r *QoS) { r.DestinationOrder = bySourceTimestamp }, []PolicyID{policyDestinationOrder}},
		{"presentation scope", func(o, r *QoS) { r.Presentation.Scope = PresentTopic }, []PolicyID{policyPresentation}},
		{"presentation coherent", func(o, r *QoS) { r.Presentation.Coherent = true }, []PolicyID{policyPresentation}},
		{"presentation ordered", func(o, r *QoS) { r.Presentation.Ordered = true }, []PolicyID{policyPresentation}},
		{"presentation better", func(o, r *QoS) { o.Presentation = Presentation{PresentGroup, true, true} }, nil},
		{"representation XCDR2 only", func(o, r *QoS) { r.Representation = []DataRepresentation{XCDR2} },
			[]PolicyID{PolicyDataRepresentation}},
		{"representation XCDR2 and 1", func(o, r *QoS) { r.Representation = []DataRepresentation{XCDR2, XCDR1} }, nil},
		{"representation of a writer is its first", func(o, r *QoS) { o.Representation = []DataRepresentation{XCDR2, XCDR1} },
			[]PolicyID{PolicyDataRepresentation}},
		{"partition", func(o, r *QoS) { o.Partition = []string{"a", "b"} }, []PolicyID{PolicyPartition}},
		{"partition in common", func(o, r *QoS) { o.Partition, r.Partition = []string{"a", "b"}, []string{"b"} }, nil},
		{"partition by pattern", func(o, r *QoS) { o.Partition, r.Partition = []string{"floor1"}, []string{"floor?"} }, nil},
		{"empty partition name is the default", func(o, r *QoS) { o.Partition = []string{""} }, nil},
		{"history, depth, lifespan, limits do not matter", func(o, r *QoS) {
			o.History, o.Depth, o.Lifespan, o.ResourceLimits = KeepAll, 7, Second, &ResourceLimits{1, 1, 1}
		}, nil},
		{"two at once, in order of their numbers", func(o, r *QoS) { o.Reliability, r.Reliability, r.Durability = BestEffort, Reliable, Transient },
			[]PolicyID{PolicyDurability, PolicyReliability}},
	} {
		offered, requested := DefaultWriterQoS(), DefaultReaderQoS()
		tc.change(&offered, &requested)
		ok, got := Compatible(&offered, &requested)
		if ok != (len(tc.want) == 0) || !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v %v", tc.name, ok, got)
		}
	}
}

// TestCompatibleWithItself: an offered QoS satisfies the same request if the representation does.
func TestCompatibleWithItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := drawQoS(t)
		for _, name := range q.Partition {
			if isPattern(name) {
				t.Skip("two patterns never match")
			}
		}
		if ok, got := Compatible(&q, &q); !ok {
			t.Fatal(got)
		}
	})
}

func TestGlob(t *testing.T) {
	for _, tc := range []struct {
		pattern, name string
		want          bool
	}{
		{"*", "", true}, {"*", "abc", true}, {"?", "", false}, {"?", "a", true}, {"a*c", "abbc", true},
		{"a*c", "abbd", false}, {"*a*b*", "xxaxxbxx", true}, {"*ab", "aab", true}, {"a?c*", "abc", true},
		{"a", "ab", false}, {"ab", "a", false}, {"a**", "a", true}, {"*x", "aaaaaaaaaaaaaaaaaaaaaaaa", false},
	} {
		if glob(tc.pattern, tc.name) != tc.want {
			t.Errorf("glob(%q, %q) = %v", tc.pattern, tc.name, !tc.want)
		}
	}
	if partitionMatches("a*", "a*") || !partitionMatches("a*", "ab") || !partitionMatches("ab", "a*") {
		t.Error("partitionMatches")
	}
}

func TestPolicyString(t *testing.T) {
	names := map[string]bool{}
	for p := PolicyID(0); p < 24; p++ {
		names[p.String()] = true
	}
	if len(names) != 24 || !names["DURABILITY"] || !names["DATA_REPRESENTATION"] || !names["policy 9"] {
		t.Error(names)
	}
}
