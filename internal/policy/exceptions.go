// SPDX-License-Identifier: Apache-2.0

package policy

// GateExceptions are the files whose faults GateFaults reports without reason, and why they can't fail by them. A row
// that is not needed any more is no fault: make report lists it.
var GateExceptions = map[string]string{
	"fleet/parts_test.go":                "advances the simulation's clock until a message arrives: the timer only yields, a minute ends a test that hangs",
	"fleet/hostile_test.go":              totalAlloc,
	"internal/policy/arm_test.go":        "go list only lists this module's files, from the folder that all other tests of the package read",
	"sim/checkpoint/kinds_test.go":       totalAlloc,
	"sim/robots/proto/hostile_test.go":   totalAlloc,
	"cosim/webots/wire/lengths_test.go":  totalAlloc,
	"sim/armcost/machine/guest_test.go":  "reads and writes its own memory by its own process id; exec.Cmd is only a value",
	"sim/armcost/machine/device_test.go": "reads its own memory by its own process id",
}

const totalAlloc = "what one goroutine allocates for a hostile input, whose size would be thousands of times the bound"
