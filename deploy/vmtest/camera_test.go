// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package vmtest

import (
	"fmt"
	"strings"
	"time"
)

// vivid is the kernel's own test camera, here a webcam: eight colour bars with the time and the number of the frame
// written over them.
const vivid = "modprobe vivid n_devs=1 num_inputs=1 input_types=0 node_types=1 && udevadm settle && ls /dev/video*"

// camera: the service captures from a V4L2 device through go4vl, and the pictures arrive outside.
func cameraWorks(g *guest) {
	g.run(vivid)
	g.kernelTests(8, "v4l2.test", "v4l2-32.test")
	g.run("insmod /payload/v4l2-mem2mem.ko && insmod /payload/vicodec.ko multiplanar=1 && udevadm settle")
	g.kernelTests(5, "m2m.test", "m2m-32.test")
	g.run("rmmod vicodec v4l2_mem2mem")
	before := g.property("MainPID")
	g.run("echo 'EPUCK_ARGS=\"-p camera.device:=vivid -p camera.framerate:=5.0\"' >>/etc/default/epuck-driver && systemctl restart epuck-driver")
	g.awaitActive()
	if g.property("MainPID") == before {
		g.t.Error("the service was not restarted")
	}
	v := newViewer(g.t)
	g.camera("closed", 0)
	v.look(g)
	g.camera("open", 1)
	v.check(g)
	v.mayNot(g)
	v.unplug(g)
	if sample := cycloneHears(g.t, 0, "image", "rt/image_raw"); !strings.Contains(sample, `"encoding":"rgb8"`) {
		g.t.Errorf("image_raw at Cyclone DDS: %s", sample)
	}
	v.leave()
	g.camera("closed again", 0)
	g.run("sed -i '/^EPUCK_ARGS=/d' /etc/default/epuck-driver && systemctl restart epuck-driver")
	g.awaitActive()
}

// kernelTests runs programs of tests in the machine, as code of 64 and of 32 bits: at least so many tests must pass in
// each.
func (g *guest) kernelTests(least int, programs ...string) {
	g.t.Helper()
	for _, program := range programs {
		out := g.run("cd /tmp && /payload/%s -test.v -test.run 'Vivid|StackMoves|Vicodec' 2>&1", program)
		if n := strings.Count(out, "\n--- PASS: Test"); n < least || !strings.HasSuffix(strings.TrimSpace(out), "PASS") {
			g.t.Errorf("%s: %d tests passed on this kernel:\n%s", program, n, out)
		}
		for line := range strings.Lines(out) {
			if strings.Contains(line, "_test.go:") {
				g.t.Logf("%s: %s", program, strings.TrimSpace(line))
			}
		}
	}
}

// camera waits until the service has so many video devices open.
func (g *guest) camera(what string, open int) {
	g.t.Helper()
	g.await("camera "+what, func() (bool, string) {
		out := g.run("ls -l /proc/%s/fd | grep -c /dev/video || true", mainPID)
		return strings.TrimSpace(out) == fmt.Sprint(open), out
	})
}

// mayNot asks for a size that the camera does not have, by a program in the machine: refused, with the list of what
// there is, and nothing changes.
func (v *viewer) mayNot(g *guest) {
	// status 0, as of ros2 param set
	out := g.run("/payload/epuck-driver param set /epuck_driver camera.width 8000 2>&1")
	if !strings.Contains(out, "failed") || !strings.Contains(out, "640×480 YUYV") {
		g.t.Errorf("a width of 8000 pixels: %s", out)
	}
	if out := g.run("/payload/epuck-driver param get /epuck_driver camera.width"); !strings.Contains(out, "640") {
		g.t.Errorf("the width is now %s", out)
	}
	v.more(g, "pictures after a refused size", 2)
}

// unplug takes the driver from the camera and gives it back, twice: no pictures, the robot keeps running, and then
// pictures again.
func (v *viewer) unplug(g *guest) {
	pid := g.property("MainPID")
	for range 2 {
		g.run("echo vivid.0 >/sys/bus/platform/drivers/vivid/unbind")
		g.await("the loss is reported", func() (bool, string) {
			_, out := g.status("journalctl --no-pager -u epuck-driver -n 20 -o cat")
			return strings.Contains(out, "camera"), out
		})
		g.camera("given up", 0)
		g.run("echo vivid.0 >/sys/bus/platform/drivers/vivid/bind && udevadm settle")
		began := time.Now()
		v.more(g, "pictures of the camera that is back", 3)
		g.t.Logf("pictures %.1f s after the camera came back", time.Since(began).Seconds())
		v.check(g)
	}
	if now := g.property("MainPID"); now != pid {
		g.t.Errorf("the service is process %s, was %s", now, pid)
	}
}

// leave ends the subscriptions.
func (v *viewer) leave() {
	for _, s := range v.subs {
		_ = s.Close()
	}
}
