// SPDX-License-Identifier: Apache-2.0

//go:build linux

package doctor

import (
	"testing"
)

func TestWhichProcessesDrive(t *testing.T) {
	for line, want := range map[string]bool{
		"/usr/bin/epuck-driver\x00run\x00--wait\x00": true, "epuck-driver\x00run\x00": true,
		"epuck-driver\x00doctor\x00": false, "epuck-driver\x00": false, "vi\x00run\x00": false, "": false,
		"epuck-driver\x00run\x00--wifi\x00192.168.1.20\x00": false, "epuck-driver\x00run\x00--wifi=192.168.1.20:1000\x00": false,
		"epuck-driver\x00run\x00--web\x00--wifi=epuck\x00--ros-args\x00-p\x00rate:=10\x00": false,
		"epuck-driver\x00run\x00--wifi=\x00":                                               true, "epuck-driver\x00run\x00--ros-args\x00-r\x00--wifi=x\x00": true,
	} {
		if got := drives([]byte(line)); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

func TestPropertiesOfAUnit(t *testing.T) {
	p := properties([]byte("LoadState=loaded\nStatusText=a=b\n\nnonsense\nActiveState=\n"))
	if len(p) != 3 || p["LoadState"] != "loaded" || p["StatusText"] != "a=b" || p["ActiveState"] != "" {
		t.Errorf("%v", p)
	}
}
