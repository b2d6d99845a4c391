// SPDX-License-Identifier: Apache-2.0

package wire

import "fmt"

// PolicyID is the number of a QoS policy (DDS 1.4 annex A, QosPolicyId_t).
type PolicyID uint32

// Policies that Compatible can name.
const (
	PolicyDurability         PolicyID = 2
	policyPresentation       PolicyID = 3
	PolicyDeadline           PolicyID = 4
	policyLatencyBudget      PolicyID = 5
	PolicyOwnership          PolicyID = 6
	PolicyLiveliness         PolicyID = 8
	PolicyPartition          PolicyID = 10
	PolicyReliability        PolicyID = 11
	policyDestinationOrder   PolicyID = 12
	PolicyDataRepresentation PolicyID = 23
)

// String returns the name of the policy in the DDS specification.
func (p PolicyID) String() string {
	switch p {
	case PolicyDurability:
		return "DURABILITY"
	case policyPresentation:
		return "PRESENTATION"
	case PolicyDeadline:
		return "DEADLINE"
	case policyLatencyBudget:
		return "LATENCY_BUDGET"
	case PolicyOwnership:
		return "OWNERSHIP"
	case PolicyLiveliness:
		return "LIVELINESS"
	case PolicyPartition:
		return "PARTITION"
	case PolicyReliability:
		return "RELIABILITY"
	case policyDestinationOrder:
		return "DESTINATION_ORDER"
	case PolicyDataRepresentation:
		return "DATA_REPRESENTATION"
	}
	return fmt.Sprintf("policy %d", uint32(p))
}
