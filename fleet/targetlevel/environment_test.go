// SPDX-License-Identifier: Apache-2.0

//go:build linux

package targetlevel

import (
	"slices"
	"testing"
)

// TestProgramsOfARobotGetItsEnvironmentAlone: where and in which terminal the simulation is started is no input.
func TestProgramsOfARobotGetItsEnvironmentAlone(t *testing.T) {
	here := []string{"PWD=/a", "ROS_DOMAIN_ID=7", "RTPS_INTERFACES=lo", "CYCLONEDDS_URI=a", "HOME=/h", "TERM=x", "COLUMNS=80", "TZ=UTC", "_=/bin/a", "PATH=/bin", "GOGC=50", "GOFLAGS=-v", "XROS_A=1", "LINES"}
	elsewhere := []string{"TZ=UTC", "OLDPWD=/b", "PWD=/another", "HOME=/h", "PATH=/bin", "GOGC=50", "ROS_DOMAIN_ID=7", "SSH_TTY=1", "RTPS_INTERFACES=lo", "CYCLONEDDS_URI=a"}
	want := []string{"CYCLONEDDS_URI=a", "GOGC=50", "HOME=/h", "PATH=/bin", "ROS_DOMAIN_ID=7", "RTPS_INTERFACES=lo", "TZ=UTC"}
	for _, all := range [][]string{here, elsewhere} {
		if got := Environment(all); !slices.Equal(got, want) {
			t.Errorf("of %q: %q", all, got)
		}
	}
	if got := Environment(nil); got == nil || len(got) != 0 {
		t.Errorf("of none: %#v, which would be this program's", got)
	}
}
