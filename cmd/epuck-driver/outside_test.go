// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/fixtures"
	"github.com/epuck-ros2/epuck-driver/sim/groundtruth"
)

// What follows attacks the program as others meet it: a process on a simulated robot, another one that commands it, and
// whatever may hang between them. The true wheel speeds are in the file of --truth.

// hopeless is after how long a wait is given up; before the driver withstood these attacks the wheels kept turning.
const hopeless = time.Minute

var domains atomic.Int64

// patient is a program on a simulated robot that is attacked.
type patient struct {
	t     *testing.T
	cmd   *exec.Cmd
	env   []string
	truth string
	ended chan error
}

// armEnv names an ARMv6 build of the program that is attacked in place of this one, on an emulated ARM1176:
// scripts/test-long.sh does so. TestPanicInEveryGoroutine builds its own.
const armEnv = "EPUCK_TEST_ARMV6"

// processor gives the command line of a program on the processor that it is built for.
func processor(program string, args ...string) *exec.Cmd {
	if os.Getenv(armEnv) == "" {
		return exec.Command(program, args...)
	}
	return exec.Command("qemu-arm", append([]string{"-cpu", "arm1176", program}, args...)...)
}

// command makes a command that is this program, in the patient's ROS domain.
func (p *patient) command(args ...string) *exec.Cmd {
	program := os.Args[0]
	if arm := os.Getenv(armEnv); arm != "" {
		program = arm
	}
	cmd := processor(program, args...)
	cmd.Env = append(append(os.Environ(), programEnv+"=1"), p.env...)
	return cmd
}

// realTimeLoop has the driver's own loop run on the machine's clock, as on a robot.
const realTimeLoop = "EPUCK_TEST_REAL_TIME_LOOP=1"

// loop makes a command that is this program with the driver's own loop.
func (p *patient) loop(args ...string) *exec.Cmd {
	cmd := p.command(args...)
	cmd.Env = append(cmd.Env, realTimeLoop)
	return cmd
}

// prepare makes a patient that is not started yet.
func prepare(t *testing.T, args ...string) *patient {
	p := &patient{t: t, truth: filepath.Join(t.TempDir(), "truth.json"), ended: make(chan error, 1)}
	domain := (int64(os.Getpid())*20+domains.Add(1))%200 + 1
	p.env = []string{"ROS_LOCALHOST_ONLY=1", fmt.Sprint("ROS_DOMAIN_ID=", domain), "ROS_HOME=" + t.TempDir()}
	p.cmd = p.loop(append([]string{"sim", "--world", "plane", "--truth", p.truth}, args...)...)
	return p
}

// start starts it, and another that commands it once its wheels can be seen to turn.
func (p *patient) start() (commander *exec.Cmd) {
	p.t.Helper()
	if err := p.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	go func() { p.ended <- p.cmd.Wait() }()
	p.t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	commander = p.command("drive", "0.05", "0.5", "--for", "10m")
	if err := commander.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() {
		_ = commander.Process.Kill()
		_ = commander.Wait()
	})
	p.await("the wheels to turn", func(r groundtruth.Record) bool { return r.Moving })
	return commander
}

// look reads the ground truth.
func (p *patient) look() (r groundtruth.Record) {
	data, err := os.ReadFile(p.truth)
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		p.t.Fatal(err)
	}
	return r
}

// await waits until something is so.
func (p *patient) await(what string, so func(r groundtruth.Record) bool) {
	p.t.Helper()
	for end := time.Now().Add(hopeless); !so(p.look()); <-time.After(20 * time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatalf("waited in vain for %s: %+v", what, p.look())
		}
	}
}

// wantStopped waits until the wheels are stopped.
func (p *patient) wantStopped() {
	p.t.Helper()
	p.await("the wheels to stop", func(r groundtruth.Record) bool { return !r.Moving })
}

// wantEnd waits for the program to end, with its wheels stopped, and returns its exit status.
func (p *patient) wantEnd() int {
	p.t.Helper()
	select {
	case <-p.ended:
	case <-time.After(hopeless):
		p.t.Fatal("the program does not end")
	}
	if r := p.look(); r.Moving {
		p.t.Errorf("it ended with turning wheels: %+v", r)
	}
	return p.cmd.ProcessState.ExitCode()
}

// attack has a commander killed, and then the program terminated, while something hangs; once more it is terminated
// while it drives.
func attack(t *testing.T, hang func(p *patient), args ...string) {
	t.Run("the commander is killed", func(t *testing.T) {
		t.Parallel()
		p := prepare(t, args...)
		hang(p)
		commander := p.start()
		if err := commander.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		p.wantStopped()
		p.signal(syscall.SIGTERM)
		p.wantEnd()
	})
	t.Run("the program is terminated", func(t *testing.T) {
		t.Parallel()
		p := prepare(t, append(args, "--ros-args", "-p", "cmd_vel_timeout:=0.0")...)
		hang(p)
		p.start()
		p.signal(syscall.SIGTERM)
		p.wantEnd()
	})
}

func (p *patient) signal(s os.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		p.t.Fatal(err)
	}
}

// A terminal that was stopped with Ctrl-S, and takes nothing.
func TestTerminalThatIsStopped(t *testing.T) { attack(t, stoppedTerminal) }

func stoppedTerminal(p *patient) {
	_, theirs := fixtures.OpenTerminal(p.t, 140)
	if err := unix.IoctlSetInt(int(theirs.Fd()), unix.TCXONC, 0); err != nil { // TCOOFF
		p.t.Fatal(err)
	}
	p.cmd.Stdout, p.cmd.Stderr = theirs, theirs
	p.t.Cleanup(func() { _ = theirs.Close() })
}

// A pipe that is full, whose reader was stopped as a pager is that pauses.
func TestReaderThatIsStopped(t *testing.T) { attack(t, stoppedReader) }

func stoppedReader(p *patient) {
	ours, theirs, err := os.Pipe()
	if err != nil {
		p.t.Fatal(err)
	}
	pager := exec.Command("cat")
	pager.Stdin = ours
	if err := pager.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() {
		_ = pager.Process.Kill()
		_ = pager.Wait()
		_ = ours.Close()
		_ = theirs.Close()
	})
	if err := pager.Process.Signal(syscall.SIGSTOP); err != nil {
		p.t.Fatal(err)
	}
	fill(p.t, theirs)
	p.cmd.Stdout, p.cmd.Stderr = theirs, theirs
}

// fill writes into a pipe until it takes no more.
func fill(t *testing.T, pipe *os.File) {
	t.Helper()
	fd := int(pipe.Fd())
	if err := unix.SetNonblock(fd, true); err != nil {
		t.Fatal(err)
	}
	for chunk := make([]byte, 4096); ; {
		if _, err := unix.Write(fd, chunk); errors.Is(err, unix.EAGAIN) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if err := unix.SetNonblock(fd, false); err != nil { // as programs have it
		t.Fatal(err)
	}
}

// inNamespace marks a test that runs again in a network of its own.
const inNamespace = "EPUCK_TEST_NAMESPACE"

// A network whose queue takes nothing any more, as that of a Wi-Fi chip that hangs: the sockets' buffers are full.
func TestNetworkThatStalls(t *testing.T) {
	if !again(t, syscall.CLONE_NEWNET) {
		return
	}
	peers := addDeadInterface(t, 40)
	p := prepare(t)
	p.env = []string{"ROS_DOMAIN_ID=7", "ROS_STATIC_PEERS=" + strings.Join(peers, ";"), "ROS_HOME=" + t.TempDir()}
	p.cmd = p.loop("sim", "--world", "plane", "--truth", p.truth)
	commander := p.start()
	ip(t, "tc qdisc add dev eth0 root tbf rate 8bit burst 1600 limit 100000000")
	p.await("the sockets to be full", func(groundtruth.Record) bool { return fullSockets(t) })
	if !p.look().Moving {
		t.Error("the robot does not obey any more")
	}
	if err := commander.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	p.wantStopped()
	p.signal(syscall.SIGTERM)
	p.wantEnd()
}

// addDeadInterface makes an interface whose other end is not listened to, and gives the addresses of machines that are
// said to be there.
func addDeadInterface(t *testing.T, n int) (peers []string) {
	t.Helper()
	for _, line := range []string{
		"ip link add eth0 type veth peer name far", "ip link set far up", "ip link set lo up", "ip addr add 10.9.0.1/24 dev eth0",
		"ip link set eth0 up", "ip route add 239.0.0.0/8 dev eth0",
	} {
		ip(t, line)
	}
	for i := range n {
		peer := fmt.Sprintf("10.9.0.%d", i+2)
		ip(t, "ip neigh add "+peer+" lladdr 02:00:00:00:00:02 dev eth0")
		peers = append(peers, peer)
	}
	return peers
}

func ip(t *testing.T, line string) {
	t.Helper()
	words := strings.Fields(line)
	if out, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", line, err, out)
	}
}

// fullSockets reports whether a UDP socket of this network waits to send more than most of its buffer.
func fullSockets(t *testing.T) bool {
	t.Helper()
	table, err := os.ReadFile("/proc/self/net/udp")
	if err != nil {
		t.Fatal(err)
	}
	limit, err := os.ReadFile("/proc/sys/net/core/wmem_default")
	if err != nil {
		limit = []byte("212992") // a namespace does not show it
	}
	var capacity int
	if _, err := fmt.Sscan(string(limit), &capacity); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		words := strings.Fields(line)
		var waiting int
		if _, err := fmt.Sscanf(words[min(4, len(words)-1)], "%x:", &waiting); err == nil && waiting > capacity*9/10 {
			return true
		}
	}
	return false
}
