// SPDX-License-Identifier: Apache-2.0

//go:build linux

package vm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// PayloadDir is the folder of a machine to which the files of [Config].Payload are copied.
const PayloadDir = "/payload"

// Config configures a [Machine].
type Config struct {
	// Image is the image to boot. It is required.
	Image Image
	// Payload are files to copy to the machine: name in [PayloadDir] → file of this computer. It defaults to none.
	Payload map[string]string
	// TAP is the TAP device of this computer to which the machine's network interface is connected; see [Cable]. It
	// defaults to no network.
	TAP string
	// Console receives the output of the machine's console. It defaults to io.Discard.
	Console io.Writer
	// Memory is the machine's memory, MiB. It defaults to 512, as the robot has.
	Memory int
	// CPUs is the number of processors. It defaults to 2.
	CPUs int
}

// Machine is a running machine. Its methods are safe for concurrent use. The caller of Start must close it.
type Machine struct {
	cmd   *exec.Cmd
	dir   string // folder of sockets and the payload
	agent *agent
	ended chan struct{} // closed when QEMU has ended
	err   error         // reason; valid once ended is closed
}

// Start boots a machine and returns when commands can run in it (15 to 30 s). ctx limits only the start: the machine
// runs until it is closed, or this process ends.
func Start(ctx context.Context, cfg Config) (_ *Machine, err error) {
	program, err := exec.LookPath("qemu-system-x86_64")
	if err != nil {
		return nil, fmt.Errorf("%w: %w (Debian package qemu-system-x86)", errUnavailable, err)
	}
	dir, err := os.MkdirTemp("", "epuck-vm")
	if err != nil {
		return nil, err
	}
	m := &Machine{dir: dir, ended: make(chan struct{})}
	defer func() {
		if err != nil {
			err = errors.Join(err, m.Close())
		}
	}()
	if err := writePayload(m.file("payload"), cfg.Payload); err != nil {
		close(m.ended)
		return nil, err
	}
	if err := m.run(program, cfg); err != nil {
		close(m.ended)
		return nil, err
	}
	conn, err := m.dial(ctx, "agent")
	if err != nil {
		return nil, err
	}
	m.agent = newAgent(conn, m.ended)
	if err := m.agent.waitReady(ctx); err != nil {
		return nil, err
	}
	_, err = m.Exec(ctx, "mkdir -p "+PayloadDir+" && tar -xf /dev/vdb -C "+PayloadDir)
	return m, err
}

func (m *Machine) file(name string) string { return filepath.Join(m.dir, name) }

// run starts QEMU.
func (m *Machine) run(program string, cfg Config) error {
	var stderr strings.Builder
	m.cmd = exec.Command(program, m.arguments(cfg)...) //nolint:noctx // it continues after Start; Close kills it
	m.cmd.Stdout, m.cmd.Stderr = cfg.Console, &stderr
	// Interrupts are handled by this process, which closes the machine; the kernel kills QEMU when this process ends.
	m.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	m.cmd.WaitDelay = 10 * time.Second
	if err := m.cmd.Start(); err != nil {
		return fmt.Errorf("%w: %w", errUnavailable, err)
	}
	task.Go("machine", func() {
		if err := m.cmd.Wait(); err != nil {
			m.err = fmt.Errorf("vm: QEMU: %w: %s", err, strings.TrimSpace(stderr.String()))
		}
		close(m.ended)
	})
	return nil
}

// kernelLine is the machine's kernel command line. Unneeded modules that take seconds of emulated time are not
// loaded.
const kernelLine = "root=/dev/vda rw console=ttyS0 net.ifnames=0 mitigations=off panic=5 systemd.show_status=1 " +
	"modprobe.blacklist=cfg80211,floppy,pcspkr,kvm,kvm_amd,kvm_intel,ata_piix,ata_generic,i2c_piix4,powernow_k8,psmouse,bochs,cirrus"

func (m *Machine) arguments(cfg Config) []string {
	memory, cpus := cfg.Memory, cfg.CPUs
	if memory <= 0 {
		memory = 512
	}
	if cpus <= 0 {
		cpus = 2
	}
	args := []string{
		"-nodefaults", "-no-user-config", "-display", "none", "-serial", "stdio",
		"-accel", "tcg,thread=multi", "-M", "pc", "-cpu", "qemu64,+rdrand", "-smp", strconv.Itoa(cpus), "-m", strconv.Itoa(memory),
		"-kernel", cfg.Image.Kernel, "-initrd", cfg.Image.Initrd, "-append", kernelLine,
		"-drive", "file=" + cfg.Image.Disk + ",format=raw,if=virtio,snapshot=on,cache=unsafe",
		"-drive", "file=" + m.file("payload") + ",format=raw,if=virtio,read-only=on",
		"-device", "virtio-rng-pci", "-device", "virtio-serial",
		"-chardev", "socket,id=agent,path=" + m.file("agent") + ",server=on,wait=off",
		"-device", "virtserialport,chardev=agent,name=org.qemu.guest_agent.0",
		"-qmp", "unix:" + m.file("monitor") + ",server=on,wait=off",
	}
	if cfg.TAP != "" {
		args = append(args, "-netdev", "tap,id=cable,ifname="+cfg.TAP+",script=no,downscript=no",
			"-device", "virtio-net-pci,netdev=cable,romfile=")
	}
	return args
}

// dial connects to a socket of QEMU, which creates it shortly after its start.
func (m *Machine) dial(ctx context.Context, name string) (net.Conn, error) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		conn, err := (&net.Dialer{}).DialContext(ctx, "unix", m.file(name))
		if err == nil {
			return conn, nil
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("%w: %w", errGone, err)
		case <-m.ended:
			return nil, fmt.Errorf("%w: %w", errGone, m.err)
		case <-tick.C:
		}
	}
}

// Close switches the machine off without a shutdown and removes its files. Later calls have no effect.
func (m *Machine) Close() error {
	if m.cmd != nil && m.cmd.Process != nil {
		_ = m.cmd.Process.Kill()
	}
	<-m.ended
	var err error
	if m.agent != nil {
		if err = m.agent.conn.Close(); errors.Is(err, net.ErrClosed) {
			err = nil
		}
	}
	return errors.Join(err, os.RemoveAll(m.dir))
}
