// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package vmtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/deploy/vm"
)

// builtOfCard are the card's image and what QEMU needs of its boot partition, which no firmware reads here.
var builtOfCard = []builtFile{
	{"card.img", "", `if [ -n "${EPUCK_CARD_IMAGE:-}" ]; then cp --sparse=always "$EPUCK_CARD_IMAGE" "$OUT"; exit; fi
dir=$(mktemp -d) && mv "$(scripts/image --raw --out "$dir" | tail -n 1)" "$OUT" && rm -r "$dir"`},
	{"key", "", `ssh-keygen -q -t ed25519 -N "" -C test -f "$OUT"`},
	fromBoot("kernel.img"), fromBoot("initrd"), fromBoot("bcm2835-rpi-zero.dtb"), fromBoot("cmdline.txt"),
}

func fromBoot(name string) builtFile {
	return builtFile{name, "MTOOLS_SKIP_CHECK=1", `mcopy -n -i "$(dirname "$OUT")/card.img@@4M" "::/$(basename "$OUT")" "$OUT"`}
}

// made is a file that was built for the machine.
func made(name string) string { return filepath.Join(os.Getenv(madeVariable), name) }

// pi is an emulated Raspberry Pi Zero with a card in it.
type pi struct {
	t       *testing.T // of the running test
	name    string     // what it is called in the network
	dir     string     // of the card and of SSH's socket
	console *console
	address netip.Addr

	machine *exec.Cmd
	ended   chan struct{} // closed when the machine is off
	powered time.Time     // when it was switched on
}

// newPi puts a fresh card of 1 GiB with an epuck.txt into a Raspberry Pi Zero that is off. It is switched off with the
// test.
func newPi(t *testing.T, name, settings string) *pi {
	t.Helper()
	p := &pi{t: t, name: name, dir: t.TempDir(), console: &console{}, ended: make(chan struct{})}
	close(p.ended)
	if err := os.WriteFile(p.file("epuck.txt"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-ec", `cp --sparse=always "$IMAGE" card.img
truncate -s 1G card.img # QEMU wants a power of two
mcopy -o -i card.img@@4M epuck.txt ::/`)
	cmd.Dir, cmd.Env = p.dir, append(os.Environ(), "IMAGE="+made("card.img"), "MTOOLS_SKIP_CHECK=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Cleanup(func() {
		p.cut()
		if t.Failed() {
			t.Logf("console:\n%s", p.console.tail(100))
		}
	})
	return p
}

func (p *pi) file(name string) string { return filepath.Join(p.dir, name) }

// quirks are arguments of the kernel that the emulated machine needs: QEMU has no power controller, and this test wants
// to see the console.
const quirks = " console=ttyAMA0 initcall_blacklist=bcm2835_power_driver_init systemd.show_status=0"

// power switches it on.
func (p *pi) power() {
	p.t.Helper()
	line, err := os.ReadFile(made("cmdline.txt"))
	if err != nil {
		p.t.Fatal(err)
	}
	var stderr bytes.Buffer
	p.machine = exec.Command("qemu-system-arm", "-M", "raspi0", "-m", "512",
		"-icount", "shift=4", // or its timer stands still when this computer is busy
		"-display", "none", "-monitor", "none", "-serial", "stdio", "-no-reboot",
		"-kernel", made("kernel.img"), "-initrd", made("initrd"), "-dtb", made("bcm2835-rpi-zero.dtb"),
		"-append", strings.TrimSpace(string(line))+quirks, "-drive", "file="+p.file("card.img")+",if=sd,format=raw",
		"-netdev", "tap,id=cable,ifname="+vm.CableTAP+",script=no,downscript=no", "-device", "usb-net,netdev=cable")
	p.machine.Stdout, p.machine.Stderr = p.console, &stderr
	p.machine.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	p.powered, p.ended = time.Now(), make(chan struct{})
	if err := p.machine.Start(); err != nil {
		close(p.ended)
		p.t.Fatalf("%v (Debian package qemu-system-arm)", err)
	}
	go func(machine *exec.Cmd, ended chan struct{}) {
		_ = machine.Wait()
		close(ended)
	}(p.machine, p.ended)
}

// cut takes the power away. A machine that is off stays off.
func (p *pi) cut() {
	if p.machine != nil {
		_ = p.machine.Process.Kill()
	}
	<-p.ended
	_ = os.Remove(p.file("ssh"))
}

// login waits until the robot lets its user in.
func (p *pi) login() {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), 2*waitTimeout)
	defer cancel()
	var err error
	if p.address, err = find(ctx, p.name+".local"); err != nil {
		p.t.Fatalf("%v\n%s", err, p.console.tail(60))
	}
	p.await("let in", func() (bool, string) {
		out, err := p.try("true")
		return err == nil, out
	})
}

// await repeats a question until it is answered with true.
func (p *pi) await(what string, ask func() (bool, string)) {
	p.t.Helper()
	(&guest{t: p.t}).await(what, func() (bool, string) {
		select {
		case <-p.ended:
			p.t.Fatalf("the machine is off; not %s\n%s", what, p.console.tail(60))
		default:
		}
		return ask()
	})
}

// try runs a shell script as root on the robot, by SSH as its user.
func (p *pi) try(script string) (string, error) {
	ctx, cancel := context.WithTimeout(p.t.Context(), waitTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "ssh", "-F", "none", "-i", made("key"), "-o", "BatchMode=yes", "-o", "LogLevel=ERROR",
		"-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "ConnectTimeout=60",
		"-o", "KexAlgorithms=curve25519-sha256", "-o", "Ciphers=chacha20-poly1305@openssh.com", // the quickest there
		"-o", "ControlMaster=auto", "-o", "ControlPath="+p.file("ssh"), "-o", "ControlPersist=600",
		"pi@"+p.address.String(), "sudo sh -es")
	cmd.Stdin = strings.NewReader(script)
	cmd.WaitDelay = time.Second // the connection that stays has the same output
	out, err := cmd.CombinedOutput()
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil
	}
	if err != nil {
		err = fmt.Errorf("%q: %w: %s", script, err, bytes.TrimSpace(out))
	}
	return string(out), err
}

// run is try for scripts that must not fail.
func (p *pi) run(format string, args ...any) string {
	p.t.Helper()
	out, err := p.try(fmt.Sprintf(format, args...))
	if err != nil {
		p.t.Fatal(err)
	}
	return strings.TrimSpace(out)
}

// step runs one of the tests; the following ones only make sense if it has passed.
func (p *pi) step(t *testing.T, name string, f func(*pi)) {
	began := time.Now()
	ok := t.Run(name, func(t *testing.T) {
		p.t = t
		f(p)
	})
	p.t = t
	if !ok {
		t.FailNow()
	}
	t.Logf("%s: %.0f s", name, time.Since(began).Seconds())
}
