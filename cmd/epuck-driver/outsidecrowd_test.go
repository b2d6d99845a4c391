// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/msgs/rcl_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
	"github.com/epuck-ros2/epuck-driver/sim/groundtruth"
)

// again runs the test once more in namespaces of its own and reports whether this is that run.
func again(t *testing.T, namespaces uintptr) bool {
	t.Helper()
	if os.Getenv(inNamespace) != "" {
		return true
	}
	cmd := exec.Command("/proc/self/exe", "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), inNamespace+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: namespaces}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	t.Logf("%s", out)
	return false
}

// fullDisk gives a folder on a full disk. It needs a mount namespace.
func fullDisk(t *testing.T) string {
	t.Helper()
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := unix.Mount("full", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
	junk := make([]byte, 4096)
	for i := 0; ; i++ {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint("junk", i)), junk, 0o600); errors.Is(err, unix.ENOSPC) {
			return dir
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// records are the arguments for a recording of everything from the start.
func records(dir string) []string {
	return []string{"-p", "record.start:=true", "-p", "record.directory:=" + dir, "-p", "record.cache:=1"}
}

// The disk that a recording goes to is full.
func TestDiskThatIsFull(t *testing.T) {
	if !again(t, syscall.CLONE_NEWNS) {
		return
	}
	dir := fullDisk(t)
	p := prepare(t, append([]string{"--ros-args"}, records(dir)...)...)
	log, err := os.CreateTemp(t.TempDir(), "log")
	if err != nil {
		t.Fatal(err)
	}
	p.cmd.Stderr = log
	commander := p.start()
	p.await("the disk to be found full", func(groundtruth.Record) bool {
		text, err := os.ReadFile(log.Name())
		return err == nil && strings.Contains(string(text), "the disk is full")
	})
	p.wantObeyed(commander)
}

// wantObeyed has the commander killed, and then the program terminated, and logs how long the wheels took to stop.
func (p *patient) wantObeyed(commander *exec.Cmd) {
	p.t.Helper()
	if !p.look().Moving {
		p.t.Error("the robot does not obey any more")
	}
	killed := time.Now()
	if err := commander.Process.Kill(); err != nil {
		p.t.Fatal(err)
	}
	p.wantStopped()
	if c := p.look().Changes; len(c) > 0 {
		p.t.Logf("the wheels stopped %.0f ms after the end of commands", 1000*c[len(c)-1].Time-float64(killed.UnixMilli()))
	}
	asked := time.Now()
	p.signal(syscall.SIGTERM)
	p.wantEnd()
	p.t.Logf("the program ended %v after SIGTERM", time.Since(asked).Round(time.Millisecond))
}

// crowd opens connections to the web port that ask for nothing, up to n of them, until the test ends.
func crowd(t *testing.T, address string, n int) (open int) {
	t.Helper()
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	for ; open < min(n, int(limit.Cur)-500); open++ {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatalf("connection %d: %v", open, err)
		}
		t.Cleanup(func() { _ = c.Close() })
		if _, err := c.Write([]byte("GET / HTTP/1.1\r\nHost: localh")); err != nil && !errors.Is(err, unix.ECONNRESET) && !errors.Is(err, unix.EPIPE) {
			t.Fatal(err)
		}
	}
	return open
}

// freePort gives an address that no program listens on.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// Ten thousand connections to the page that ask for nothing.
func TestCrowdOnTheWebPort(t *testing.T) {
	web := freePort(t)
	p := prepare(t, "--web="+web)
	commander := p.start()
	t.Logf("%d connections", crowd(t, web, 10_000))
	p.wantObeyed(commander)
}

// setParameters sets parameters of the patient from several callers at once until stop is called, and gives how often
// that was done.
func (p *patient) setParameters() (stop func() int) {
	p.t.Helper()
	cfg, err := rmw.FromEnvironment(func(name string) (string, bool) {
		for _, e := range p.env {
			if v, ok := strings.CutPrefix(e, name+"="); ok {
				return v, true
			}
		}
		return "", false
	})
	if err != nil {
		p.t.Fatal(err)
	}
	tr, err := rmw.New(cfg)
	if err != nil {
		p.t.Fatal(err)
	}
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "fiddler", Transport: tr})
	if err != nil {
		p.t.Fatal(err)
	}
	set, err := ros2.NewClient(node, rcl_interfaces.SetParameters{}, "/epuck_driver/set_parameters")
	if err != nil {
		p.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var callers sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for caller := range 8 {
		callers.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				one := rcl_interfaces.ParameterValue{Type: 3, DoubleValue: 0.02 + float64(i%2)/1000}
				if _, err := set.Call(ctx, &rcl_interfaces.SetParametersRequest{Parameters: []rcl_interfaces.Parameter{
					{Name: []string{"wheel_radius", "wheel_distance"}[caller%2], Value: one},
				}}); err == nil {
					mu.Lock()
					done++
					mu.Unlock()
				}
			}
		})
	}
	stop = sync.OnceValue(func() int {
		cancel()
		callers.Wait()
		if err := errors.Join(node.Close(), tr.Close()); err != nil {
			p.t.Error(err)
		}
		return done
	})
	p.t.Cleanup(func() { stop() })
	p.await("a thousand changes", func(groundtruth.Record) bool {
		mu.Lock()
		defer mu.Unlock()
		return done >= 1000
	})
	return stop
}

// Parameters are set a thousand times, and on and on, while the robot drives.
func TestParametersSetWithoutEnd(t *testing.T) {
	p := prepare(t)
	commander := p.start()
	stop := p.setParameters()
	p.wantObeyed(commander)
	t.Logf("%d changes", stop())
}

// stopListeners makes subscribers that were stopped once they had heard something: they take no sample any more and
// confirm none.
func (p *patient) stopListeners(topics ...string) {
	p.t.Helper()
	for _, topic := range topics {
		l := p.command("topic", "echo", topic)
		l.Stdout = &firstWrite{heard: make(chan struct{})}
		if err := l.Start(); err != nil {
			p.t.Fatal(err)
		}
		p.t.Cleanup(func() {
			_ = l.Process.Kill()
			_ = l.Wait()
		})
		select {
		case <-l.Stdout.(*firstWrite).heard:
		case <-time.After(hopeless):
			p.t.Fatalf("nothing is heard on %s", topic)
		}
		if err := l.Process.Signal(syscall.SIGSTOP); err != nil {
			p.t.Fatal(err)
		}
	}
}

// firstWrite signals the first write.
type firstWrite struct {
	once  sync.Once
	heard chan struct{}
}

func (w *firstWrite) Write(b []byte) (int, error) {
	w.once.Do(func() { close(w.heard) })
	return len(b), nil
}

// Reliable subscribers of what the driver says and measures were stopped.
func TestListenersThatAreStopped(t *testing.T) {
	p := prepare(t, "--ros-args", "--log-level", "debug")
	commander := p.start()
	p.stopListeners("/rosout", "/odom", "/diagnostics")
	stop := p.setParameters() // each change is a line of the log, and an event
	p.wantObeyed(commander)
	t.Logf("%d changes", stop())
}

// Everything at once: a stopped terminal, a full pipe, a stalled network, a full disk, a crowd on the web port, stopped
// listeners, parameters that change on and on.
func TestEverythingAtOnce(t *testing.T) {
	if !again(t, syscall.CLONE_NEWNET|syscall.CLONE_NEWNS) {
		return
	}
	peers, disk := addDeadInterface(t, 40), fullDisk(t)
	t.Run("the commander is killed", func(t *testing.T) {
		p, commander := beset(t, peers, records(disk))
		p.wantObeyed(commander)
	})
	ip(t, "tc qdisc del dev eth0 root")
	t.Run("the program is terminated", func(t *testing.T) {
		p, _ := beset(t, peers, append(records(disk), "-p", "cmd_vel_timeout:=0.0"))
		p.wantPromptEnd()
	})
}

// promptly is within which the wheels stop after SIGTERM, including the delay of a ground truth sample.
const promptly = 100*time.Millisecond + 20*time.Millisecond

// wantPromptEnd terminates the program, and requires the wheels to stop promptly. The time for which its threads
// were ready and had no processor is the machine's, not the program's, and does not count.
func (p *patient) wantPromptEnd() {
	p.t.Helper()
	asked, before := time.Now(), p.queued()
	p.signal(syscall.SIGTERM)
	p.wantStopped()
	queued := p.queued() - before
	p.wantEnd()
	p.t.Logf("it ended %v after SIGTERM", time.Since(asked).Round(time.Millisecond))
	c := p.look().Changes
	if len(c) == 0 {
		p.t.Fatal("the wheels did not turn")
	}
	took := time.Duration((c[len(c)-1].Time - float64(asked.UnixNano())/1e9) * float64(time.Second))
	p.t.Logf("the wheels stopped %v after SIGTERM; threads waited %v for a processor", took.Round(time.Millisecond), queued.Round(time.Millisecond))
	if took-queued > promptly {
		p.t.Errorf("the wheels stopped only %v after SIGTERM, of which the machine took %v", took, queued)
	}
}

// queued is for how long the program's threads have been ready so far without a processor; 0 if it is not there.
func (p *patient) queued() (sum time.Duration) {
	p.t.Helper()
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", p.cmd.Process.Pid))
	if err != nil {
		p.t.Fatal(err)
	}
	for _, list := range lists {
		var ran, waited int64
		if text, err := os.ReadFile(list); err == nil {
			if _, err := fmt.Sscan(string(text), &ran, &waited); err == nil {
				sum += time.Duration(waited)
			}
		}
	}
	return sum
}

// beset starts a patient and does everything to it that these tests know.
func beset(t *testing.T, peers, more []string) (p *patient, commander *exec.Cmd) {
	t.Helper()
	web := freePort(t)
	args := append([]string{"--web=" + web, "--ros-args", "--log-level", "debug"}, more...)
	p = prepare(t, args...)
	p.env = []string{"ROS_DOMAIN_ID=7", "ROS_STATIC_PEERS=" + strings.Join(peers, ";"), "ROS_HOME=" + t.TempDir()}
	p.cmd = p.loop(p.cmd.Args[1:]...)
	stoppedTerminal(p)
	stderr := p.cmd.Stderr
	stoppedReader(p)
	p.cmd.Stderr = stderr
	commander = p.start()
	ip(t, "tc qdisc add dev eth0 root tbf rate 8bit burst 1600 limit 100000000")
	p.stopListeners("/rosout", "/odom", "/diagnostics")
	p.setParameters()
	crowd(t, web, 2000)
	p.await("the sockets to be full", func(groundtruth.Record) bool { return fullSockets(t) })
	return p, commander
}
