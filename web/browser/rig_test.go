// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package browser

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/live"
	"github.com/epuck-ros2/epuck-driver/camera/shared"
	"github.com/epuck-ros2/epuck-driver/driver"
	"github.com/epuck-ros2/epuck-driver/driver/chips"
	"github.com/epuck-ros2/epuck-driver/fleet/groundtruth"
	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/web"
)

// rig is a driver on a simulated robot, the page's server, and a browser that shows the page.
type rig struct {
	testing.TB
	robot  *sim.Firmware
	camera *shared.Camera
	node   *ros2.Node // of another program
	site   *web.Server
	wire   *wire
	url    string

	transport *ros2test.Transport // of the driver and the server

	stdin  io.WriteCloser
	stdout *bufio.Scanner
	kill   func() // the browser
}

// options are the options of a rig.
type options struct {
	world string
	// encoder simulates the GPU's H.264 encoder; nil is none.
	encoder func(camera.EncoderConfig) (live.Encoder, error)
	// tokenFile makes the server require tokens.
	tokenFile string
	// standard gives the other program's node parameter services and /rosout.
	standard bool
}

// newRig starts a rig and opens the page.
func newRig(t testing.TB, o options) *rig {
	t.Helper()
	r := newServer(t, o)
	r.browse()
	r.open(1280, 900, false)
	return r
}

// newServer starts a rig without the browser.
func newServer(t testing.TB, o options) *rig {
	t.Helper()
	r := &rig{TB: t}
	needBrowser(t)
	if o.world == "" {
		o.world = "arena"
	}
	w, err := sim.LoadWorld(o.world)
	r.must(err)
	s, err := sim.New(w, sim.Options{Seed: 1, Now: time.Now, Sleep: time.Sleep})
	r.must(err)
	r.robot = sim.RobotsOf[*sim.Firmware](s)[0]
	r.camera = shared.New(r.robot.Camera())
	ether := ros2test.NewNetwork()
	transport := ether.NewTransport()
	r.transport = transport
	node, err := ros2.NewNode(ros2.NodeConfig{Name: driver.NodeName, Transport: transport, Standard: true})
	r.must(err)
	d, err := driver.New(driver.Config{
		Hardware: &chips.Robot{Bus: r.robot.Bus(), BoardBus: r.robot.BoardBus(), Files: r.robot.BatteryFS()}, Node: node, Logger: slog.New(slog.DiscardHandler),
		Camera: func(string) (camera.Device, error) { return r.camera.Owner(), nil },
	})
	r.must(err)
	view, err := groundtruth.New(groundtruth.Config{Node: node, World: w, Robots: map[string]groundtruth.Robot{"/": r.robot}})
	r.must(err)
	r.site, err = web.New(web.Config{Address: "localhost:0", Transport: transport, Types: msgs.Definition, Live: r.live(o), Asset: assets, TokenFile: o.tokenFile})
	r.must(err)
	r.node, err = ros2.NewNode(ros2.NodeConfig{Name: "other", Transport: ether.NewTransport(), Standard: o.standard})
	r.must(err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 2)
	go func() { ended <- d.Run(ctx) }()
	go func() { ended <- r.site.Serve(ctx) }()
	r.wire = newWire(t, r.site.Address().String())
	r.url = "http://localhost:" + r.wire.port
	t.Cleanup(func() {
		cancel()
		for range 2 {
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
		for _, err := range []error{view.Close(), d.Close(), node.Close(), r.node.Close()} {
			if err != nil {
				t.Error(err)
			}
		}
	})
	return r
}

// live returns the live video of the robot's camera.
func (r *rig) live(o options) func(context.Context, string) (string, error) {
	if o.encoder == nil {
		return nil
	}
	s, err := live.New(live.Config{Device: r.camera.Viewer(), Encoder: o.encoder})
	r.must(err)
	r.Cleanup(s.Close)
	return s.Answer
}

// assets returns a file of the ROS package that Foxglove may fetch.
func assets(uri string) ([]byte, error) {
	return web.PackageAssets(func(name string) (fs.FS, bool) { return os.DirFS("../../deploy/ros"), name == "epuck_driver" })(uri)
}

// needBrowser fails a test if what scripts/setup.sh installs is missing.
func needBrowser(t testing.TB) {
	t.Helper()
	for _, program := range []string{"chromium", "node"} {
		if _, err := exec.LookPath(program); err != nil {
			missing(t, err)
		}
	}
	if _, err := os.Stat("../internal/page/node_modules"); err != nil {
		missing(t, err)
	}
}

func missing(t testing.TB, err error) {
	t.Helper()
	t.Fatalf("chromium, nodejs (Debian) and npm ci in web/internal/page are needed, which scripts/setup.sh does: %v", err)
}

func (r *rig) must(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}

// browse starts the browser.
func (r *rig) browse() {
	r.Helper()
	cmd := exec.Command("node", "testdata/browser.mjs")
	cmd.Stderr = os.Stderr
	var err error
	r.stdin, err = cmd.StdinPipe()
	r.must(err)
	out, err := cmd.StdoutPipe()
	r.must(err)
	r.must(cmd.Start())
	r.kill = func() { _ = cmd.Process.Kill() }
	r.stdout = bufio.NewScanner(out)
	r.stdout.Buffer(nil, 16<<20)
	r.Cleanup(func() {
		_ = r.stdin.Close()
		if err := cmd.Wait(); err != nil {
			r.Error(err)
		}
	})
}

// do runs JavaScript in the Node process that controls the browser, and returns its result.
func (r *rig) do(code string, args ...any) any {
	r.Helper()
	line, err := json.Marshal(fmt.Sprintf(code, args...))
	r.must(err)
	_, err = r.stdin.Write(append(line, '\n'))
	r.must(err)
	hangs := time.AfterFunc(2*time.Minute, r.kill) // it decides no test, it ends one that hangs
	defer hangs.Stop()
	if !r.stdout.Scan() {
		r.Fatal("the browser has gone: ", r.stdout.Err())
	}
	var answer struct {
		Value any
		Error string
	}
	r.must(json.Unmarshal(r.stdout.Bytes(), &answer))
	if answer.Error != "" {
		r.Fatalf("%s\n%s", fmt.Sprintf(code, args...), answer.Error)
	}
	return answer.Value
}

// open opens the page in a window of the given size and waits until it shows the robot.
func (r *rig) open(width, height int, phone bool) {
	r.Helper()
	r.do(`await page.setViewport({width: %d, height: %d, isMobile: %t, hasTouch: %t})`, width, height, phone, phone)
	r.do(`await page.goto(%q)`, r.url)
	r.until("the page shows the robot", func() bool {
		return r.text("#state") == "Connected" && r.text("#pose") != "" && r.text("#pose")[0] == 'e'
	})
}

// text returns the text of an element, "" while there is none.
func (r *rig) text(selector string) string {
	r.Helper()
	s, _ := r.do(`return page.evaluate((s) => document.querySelector(s)?.textContent ?? "", %q)`, selector).(string)
	return s
}

// until waits for a condition for at most half a minute, which only ends a test that hangs. With BROWSER_SHOTS=DIR it then
// writes a picture of the page.
func (r *rig) until(what string, is func() bool) {
	r.Helper()
	for range 600 {
		if is() {
			return
		}
		r.do(`await sleep(50)`)
	}
	if dir := os.Getenv("BROWSER_SHOTS"); dir != "" {
		r.do(`await page.screenshot({ path: %q })`, filepath.Join(dir, r.Name()+".png"))
	}
	r.Fatalf("waited without success until %s; the page shows %q, %q, %q, %q, %q", what,
		r.text("#state"), r.text("#driver"), r.text("#take"), r.text("#notice"), r.text("#simulation .state"))
}

// await waits like until, while the browser does not respond.
func (r *rig) await(what string, is func() bool) {
	r.Helper()
	timeout, look := time.After(time.Minute), time.NewTicker(5*time.Millisecond)
	defer look.Stop()
	for !is() {
		select {
		case <-look.C:
		case <-timeout:
			r.Fatalf("waited without success until %s", what)
		}
	}
}

// speed returns the true speeds of the robot's wheels, in rad/s.
func (r *rig) speed() (left, right float64) {
	t := r.robot.GroundTruth()
	return t.LeftSpeed, t.RightSpeed
}

func (r *rig) stopped() bool {
	left, right := r.speed()
	return left == 0 && right == 0
}

func (r *rig) moves() bool { return !r.stopped() }

// clean fails the test if the page had errors.
func (r *rig) clean() {
	r.Helper()
	if list, _ := r.do(`return problems.splice(0)`).([]any); len(list) > 0 {
		r.Errorf("the page has problems: %v", list)
	}
}
