// SPDX-License-Identifier: Apache-2.0

package policy

// testRatios are the folders with fewer lines of tests than of code, and the number below which they must not fall. The
// numbers only go up; a row that reaches minTestRatio goes.
var testRatios = map[string]float64{
	"acceptance/checks":              0.10, // one test tries all: each fault is found and named
	"acceptance/misbuilt":            0.03, // as before
	"acceptance/report":              0.30,
	"acceptance/twin":                0.65, // one test makes each robot again
	"internal/system":                0.35, // three systems, of which a test runs on one
	"calibration/procedure":          0.45,
	"calibration":                    0.35,
	"calibration/cam":                0.75,
	"calibration/chess":              0.60,
	"calibration/ir":                 0.55,
	"calibration/lm":                 0.65,
	"calibration/wheels":             0.45,
	"cmd/epuck-card":                 0.75,
	"cmd/epuck-driver":               0.55,
	"driver/table":                   0.70,
	"i2c/i2cfake":                    0.80,
	"ros2/rtps/internal/crypto":      0.75,
	"ros2/rtps/internal/shield":      0.50,
	"ros2/rtps/security":             0.55,
	"ros2/rtps/security/permissions": 0.35,
	"ros2/rtps/security/pki":         0.60,
	"ros2/rmw/security/keystore":     0.50,
	"scripts/archives":               0.45,
	"scripts/benchtarget":            0.75,
	"scripts/shortened":              0.40,
	"calibration/internal/boardview": 0.65,
	"deploy/card":                    0.70,
	"deploy/card/epuck-image":        0.65,
	"deploy/card/epuck-init":         0.04, // a kernel's first program
	"docs/gen":                       0.50,
	"docs/reproduction":              0.30,
	"deploy/vm":                      0.75,
	"deploy/vm/epuck-vm":             0.35,
	"mapping":                        0.55,
	"msgs/internal/gen":              0.40,
	"msgs/internal/idl":              0.70,
	"msgs/internal/rihs":             0.80,
	"navigation":                     0.75,
	"bag/record":                     0.75,
	"bag/mcap":                       0.70,
	"bag/blackbox":                   0.55,
	"bag/play":                       0.80,
	"ros2/dynamic":                   0.50,
	"ros2/rclgo":                     0.65,
	"ros2/rtps/internal/discovery":   0.70,
	"ros2/rtps/shapes":               0.65,
	"ros2/rtps/udp":                  0.70,
	"ros2/rtps/vnet":                 0.45,
	"ros2/rtps/wire/internal/pcapng": 0.60,
	"ros2/shell":                     0.50,
	"sim/chip/vbattery":              0.75,
	"sim/chip/vimu":                  0.80,
	"sim/physics":                    0.80,
	"sim/robots/proto":               0.70, // Webots' own files are read by hand, too: docs/reference/robots.md
	"sim/lanes":                      0.30, // network.py of sim/traci asks SUMO about all of it, too
	"sim/traci":                      0.42, // SUMO is asked the same by both.py and network.py
	"sim/traffic":                    0.45, // lanes.py of sim/traci drives it, too
	"sim/traci/wire":                 0.70,
	"sim/wifi":                       0.70,
	"sim/world":                      0.65,
	"fleet/swarm":                    0.80,
	"experiment":                     0.70,
	"sim/armcost/machine":            0.85,
	"web/guard":                      0.45,
	"web/internal/outbox":            0.45,
	"wifi/packet":                    0.75,
	"wifi/robot":                     0.70,
}
