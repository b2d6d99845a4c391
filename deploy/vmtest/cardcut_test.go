// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package vmtest

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera/caminfo"
	"github.com/epuck-ros2/epuck-driver/driver/pictures"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// cutsVariable says how many power cuts there are, if not ten.
const cutsVariable = "EPUCK_CUTS"

// Where the driver keeps what must last.
const (
	lensFile   = "/var/lib/epuck-driver/camera_info"
	bagsFolder = "/var/lib/epuck-driver/bags"
)

// cuts is how often the power goes.
func cuts(t *testing.T) int {
	t.Helper()
	text := os.Getenv(cutsVariable)
	if text == "" {
		return 10
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s=%s: a number from 1 it must be", cutsVariable, text)
	}
	return n
}

// powerCuts takes the power away at random moments, while a client outside stores calibrations one after another, each
// with a number of its own, a file is replaced and synced again and again, and the driver records. After each the robot
// comes back by itself, its data partition is whole, and both numbers are at least those that were acknowledged.
func powerCuts(p *pi, o *outside) {
	w := &writer{client: o.lens(p.t), number: 1000}
	n := cuts(p.t)
	for cut := 1; cut <= n; cut++ {
		note := p.scribble(cut)
		stored := w.storeUntilDark(p, time.Duration(rand.Int64N(int64(8*time.Second))))
		p.power()
		p.odometry(o)
		back := time.Since(p.powered)
		p.login()
		p.kept(cut, stored, note)
		p.t.Logf("cut %d of %d: calibration %d acknowledged, odometry again %.0f s after power", cut, n, stored, back.Seconds())
	}
}

// scribble changes and syncs the parameters and a file as people do by SSH, then has the robot keep writing to the
// file without a sync.
func (p *pi) scribble(cut int) (synced string) {
	p.t.Helper()
	synced = fmt.Sprintf("cut %d", cut)
	p.run(`sed -i '/^# cut/d' /etc/epuck-driver/params.yaml
echo '# %s' >>/etc/epuck-driver/params.yaml
echo %s >/var/lib/epuck-card/note
sync
(while sleep 0.2; do echo more >>/var/lib/epuck-card/note; done) >/dev/null 2>&1 &`, synced, synced)
	return synced
}

// writer stores calibrations, numbered by their focal length in pixels.
type writer struct {
	client *ros2.Client[sensor_msgs.SetCameraInfoRequest, sensor_msgs.SetCameraInfoResponse]
	number int // of the next one
}

// lens makes the client.
func (o *outside) lens(t *testing.T) *ros2.Client[sensor_msgs.SetCameraInfoRequest, sensor_msgs.SetCameraInfoResponse] {
	t.Helper()
	c, err := ros2.NewClient(o.node, sensor_msgs.SetCameraInfo{}, "set_camera_info")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// storeUntilDark stores calibrations until the first is acknowledged and then until the power goes, after so long. It
// gives the last number that was acknowledged.
func (w *writer) storeUntilDark(p *pi, after time.Duration) (acknowledged int) {
	p.t.Helper()
	first, cancel := context.WithTimeout(p.t.Context(), waitTimeout)
	defer cancel()
	acknowledged = w.store(first, p.t)
	if acknowledged == 0 {
		p.t.Fatal("no calibration is stored")
	}
	ctx, cancel := context.WithCancel(p.t.Context())
	defer cancel()
	time.AfterFunc(after, func() {
		p.cut()
		cancel() // what is under way gets no answer any more
	})
	for ctx.Err() == nil {
		acknowledged = max(acknowledged, w.store(ctx, p.t))
	}
	<-p.ended
	return acknowledged
}

// store stores one calibration and gives its number once it is acknowledged, else 0.
func (w *writer) store(ctx context.Context, t *testing.T) int {
	number := w.number
	w.number++
	f := float64(number)
	info := pictures.InfoMessage(caminfo.Ideal("epuck", 640, 480, f, f, 320, 240))
	if err := w.client.WaitAvailable(ctx); err != nil {
		return 0
	}
	answer, err := w.client.Call(ctx, &sensor_msgs.SetCameraInfoRequest{CameraInfo: info})
	if err != nil {
		return 0
	}
	if !answer.Success {
		t.Errorf("calibration %d: %s", number, answer.StatusMessage)
		return 0
	}
	return number
}

// kept checks that what was acknowledged or synced is there after a power cut.
func (p *pi) kept(cut, stored int, note string) {
	p.t.Helper()
	text := p.run(`echo $(cat /run/epuck-card/damaged 2>/dev/null || echo whole)
echo $(grep -h -A 3 camera_matrix %s/*.yaml | grep data | tr -d ' ' | sed 's/.*\[\([0-9]*\).*/\1/')
echo $(head -n 1 /var/lib/epuck-card/note)
echo $(grep '^# cut' /etc/epuck-driver/params.yaml)`, lensFile)
	lines := strings.Split(text+"\n\n\n\n", "\n")
	if lines[0] != "whole" {
		p.t.Fatalf("cut %d: the data partition can't be used: %s", cut, lines[0])
	}
	if got, err := strconv.Atoi(lines[1]); err != nil || got < stored {
		p.t.Errorf("cut %d: calibration %d was acknowledged, %q is there", cut, stored, lines[1])
	}
	if lines[2] != note || lines[3] != "# "+note {
		p.t.Errorf("cut %d: %q was synced, the note has %q, the parameters have %q", cut, note, lines[2], lines[3])
	}
}

// recovered: each recording that a power cut ended can be read again, but the one that is being made.
func recovered(p *pi) {
	dirs := strings.Fields(p.run("ls -d %s/*", bagsFolder))
	if len(dirs) < cuts(p.t) {
		p.t.Errorf("%d recordings after %d power cuts: %v", len(dirs), cuts(p.t), dirs)
	}
	p.run("systemctl stop epuck-driver") // which completes the last
	held := 0
	for _, dir := range dirs {
		var i bagInfo
		out := p.run("epuck-driver bag recover %s >/dev/null 2>&1 || true; epuck-driver bag info --json %s", dir, dir)
		if err := json.Unmarshal([]byte(out), &i); err != nil || len(i.Interrupted) > 0 || len(i.Damage) > 0 {
			p.t.Errorf("%s: %v, %s", dir, err, out)
			continue
		}
		messages := 0
		for _, topic := range i.Topics {
			messages += topic.Messages
		}
		if messages > 0 {
			held++
		}
		p.t.Logf("%s: %.1f s, %d messages", dir, float64(i.End-i.Start)/1e9, messages)
	}
	if held < cuts(p.t) {
		p.t.Errorf("only %d of %d recordings hold anything", held, len(dirs))
	}
}
