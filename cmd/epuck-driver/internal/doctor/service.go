// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"context"
	"fmt"
	"strconv"
)

const (
	unitName      = "epuck-driver.service"
	parameterFile = "/etc/epuck-driver/params.yaml"
	// manyRestarts is the number of restarts of the service above which there is a warning.
	manyRestarts = 3
)

// checkService checks the state of the system's service.
func checkService(ctx context.Context, m *Machine) []Finding {
	if m.Systemctl == nil {
		return nil
	}
	p, err := m.Systemctl(ctx, unitName)
	if err != nil {
		return skipped("service", err.Error())
	}
	restarts, _ := strconv.Atoi(p["NRestarts"]) // older systems do not report it
	state := fmt.Sprintf("%s, %s", p["ActiveState"], p["SubState"])
	if p["StatusText"] != "" {
		state += ": " + p["StatusText"]
	}
	switch {
	case p["LoadState"] != "loaded":
		return skipped("service", "not installed; the driver is started by hand")
	case p["ActiveState"] == "failed":
		return failure("service", state, "journalctl -u epuck-driver -n 50  # then: sudo systemctl restart epuck-driver")
	case p["ActiveState"] == "active" && restarts > manyRestarts:
		return warning("service", fmt.Sprintf("%s; restarted %d times", state, restarts), "journalctl -u epuck-driver -p warning")
	case p["UnitFileState"] != "enabled":
		return warning("service", state+"; it does not start with the machine", "sudo systemctl enable --now epuck-driver")
	case p["ActiveState"] == "inactive":
		return warning("service", state, "sudo systemctl start epuck-driver")
	}
	return ok("service", state)
}

// checkParameters reads the parameter file of the service as the driver does.
func checkParameters(_ context.Context, m *Machine) []Finding {
	if m.CheckParameters == nil || !m.exists(parameterFile) {
		return nil
	}
	if err := m.CheckParameters(parameterFile); err != nil {
		return failure("parameters", firstLine(err.Error()), "sudo editor "+parameterFile+" && sudo systemctl restart epuck-driver")
	}
	return ok("parameters", parameterFile+" is good")
}
