// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"strings"
	"testing"
)

// externalModules names every module the program itself (not its tests) may use, where, and what for. A new
// dependency needs a line here: on a robot with 512 MB and one core each one is paid for.
var externalModules = []struct {
	module  string
	folders []string
	why     string
}{
	{"periph.io/x/conn/v3", []string{"i2c", "sim", "driver", "wifi/robot", "acceptance", "cmd"}, "the I2C bus interface the Go hardware world shares"},
	{"periph.io/x/host/v3", []string{"i2c", "cmd"}, "buses and pins of the Raspberry Pi"},
	{"github.com/parquet-go/parquet-go", []string{"experiment"}, "tables of results for data tools"},
	{"github.com/ajstarks/svgo", []string{"experiment/report"}, "plots as SVG"},
	{"go.yaml.in/yaml/v3", []string{"experiment", "ros2", "sim", "msgs", "camera/caminfo", "bag", "calibration", "mapping", "fleet", "docs/reproduction"}, "ROS parameter files, bags' metadata, world files, calibrations, maps, results of sources"},
	{"github.com/vladimirvivien/go4vl", []string{"camera"}, "V4L2 capture (cgo)"},
	{"github.com/pion/mediadevices", []string{"camera", "sim"}, "the shape of a frame source, and its video drivers"},
	{"github.com/pion/webrtc/v4", []string{"camera/live"}, "live video to a browser; 3 MB of the ARMv6 program"},
	{"github.com/pion/rtp", []string{"camera/live"}, "the packets of it"},
	{"github.com/tiiuae/rclgo", []string{"ros2/rclgo"}, "ROS 2's own rcl (build tag rclgo)"},
	{"github.com/spf13/cobra", []string{"cmd", "ros2/shell"}, "the command line: help, suggestions, completion in three shells and the pages of the manual " +
		"from one tree of commands; what everybody who has used kubectl or gh knows. It needs no templates or reflection, so the linker still drops what is not called"},
	{"github.com/spf13/pflag", []string{"cmd", "ros2/shell"}, "cobra's flags"},
	{"github.com/coreos/go-systemd", []string{"cmd"}, "readiness and watchdog of the service"},
	{"gonum.org/v1/gonum", []string{"calibration", "sim/machine", "sim/robots", "fleet"}, "matrices and distributions of the estimators, rotations of descriptions"},
	{"github.com/klauspost/compress/zstd", []string{"bag"}, "chunks of MCAP files, compressed"},
	{"github.com/smallstep/pkcs7", []string{"ros2/rtps/security/smime"}, "signatures of governance and permissions (DDS Security)"},
	{"modernc.org/sqlite", []string{"bag"}, "bags of ROS 2 Humble, in the program for PCs alone: 3.6 MB of amd64 code"},
	{"github.com/pierrec/lz4/v4", []string{"bag"}, "chunks of other programs' MCAP files"},
	{"github.com/coder/websocket", []string{"web"}, "WebSockets of the page, Foxglove and rosbridge"},
	{"aead.dev/minisign", []string{"scripts/archives"}, "signatures of releases; no program that is released has it"},
	{"rsc.io/qr", []string{"web/guard"}, "the address with its token as a picture for phones"},
	{"golang.org/x/sys", []string{"ros2/rtps", "ros2/thread", "ros2/waitset", "i2c", "camera", "sim", "web", "cmd", "internal/timerfd", "internal/system", "sim/armcost/machine"},
		"socket options, scheduling of threads, I2C and V4L2 ioctls, CUSE, the terminal, timers, system calls of emulated programs"},
}

func TestModulesAreUsedWhereTheyMayBe(t *testing.T) {
	for _, s := range sources(t) {
		if s.test || strings.Contains(s.path, "/internal/") && strings.Contains(s.path, "test") {
			continue
		}
		for _, imp := range s.imports {
			if strings.HasPrefix(imp, module) || !strings.Contains(strings.SplitN(imp, "/", 2)[0], ".") {
				continue
			}
			if !moduleAllowed(imp, s.folder) {
				t.Errorf("%s imports %s, which the table of modules does not give to this folder", s.path, imp)
			}
		}
	}
}

func moduleAllowed(imp, folder string) bool {
	for _, m := range externalModules {
		if !under(imp, m.module) {
			continue
		}
		for _, r := range m.folders {
			if under(folder, r) {
				return true
			}
		}
	}
	return false
}
