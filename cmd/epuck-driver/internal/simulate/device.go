// SPDX-License-Identifier: Apache-2.0

package simulate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"sync"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/hardware"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/service"
	"github.com/epuck-ros2/epuck-driver/internal/system"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/sim/cuse"
)

const (
	// noDevice is the number for no device file.
	noDevice = -1
	// simLogger is the name of the simulated devices' logger: with --log-level sim:=debug it logs each open and close.
	simLogger = "sim"
)

// sockets are the device files through which other programs access a simulated robot's buses. unplug removes them and
// plug restores them; the robot keeps running.
type sockets struct {
	log    *slog.Logger
	wanted []cuse.Config

	mu      sync.Mutex
	devices []*cuse.Device
}

// newSockets prepares the device files of the robot's bus and of its board's; numbers below 0 are left out.
func newSockets(r hardware.Chips, bus, board int, log *slog.Logger) *sockets {
	s := &sockets{log: log}
	add := func(number int, b pi2c.Bus) {
		if number >= 0 {
			s.wanted = append(s.wanted, cuse.Config{Number: number, Bus: b, Logger: log})
		}
	}
	add(bus, r.Bus())
	add(board, r.BoardBus())
	return s
}

// plug creates the device files unless they exist.
func (s *sockets) plug() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.devices) > 0 {
		return nil
	}
	for _, cfg := range s.wanted {
		d, err := cuse.Open(cfg)
		if err != nil {
			return errors.Join(err, s.closeAll())
		}
		s.devices = append(s.devices, d)
	}
	return nil
}

// unplug removes the device files.
func (s *sockets) unplug() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closeAll()
}

// closeAll closes all devices. The caller holds mu.
func (s *sockets) closeAll() error {
	var errs []error
	for _, d := range s.devices {
		errs = append(errs, d.Close())
	}
	s.devices = nil
	return errors.Join(errs...)
}

// paths returns the paths of the present device files.
func (s *sockets) paths() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	paths := []string{}
	for _, d := range s.devices {
		paths = append(paths, d.Path())
	}
	return paths
}

// obey unplugs the buses at SIGUSR1 and plugs them in again at SIGUSR2, until ctx ends.
func (s *sockets) obey(ctx context.Context) {
	signals := make(chan os.Signal, 4)
	system.NotifyUserSignals(signals)
	defer signal.Stop(signals)
	for {
		var what os.Signal
		select {
		case <-ctx.Done():
			return
		case what = <-signals:
		}
		act, name := s.plug, "plugged in"
		if system.IsUserSignal1(what) {
			act, name = s.unplug, "unplugged"
		}
		if err := act(); err != nil {
			s.log.Error("the simulated bus could not be "+name, "error", err)
			continue
		}
		s.log.Info("the simulated bus is " + name)
	}
}

// offer serves a robot's buses as device files while f runs.
func (s *sockets) offer(ctx context.Context, f func(context.Context) error) (err error) {
	if err := s.plug(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.unplug()) }()
	ctx, cancel := context.WithCancel(ctx)
	var helpers task.Group
	defer helpers.Wait()
	defer cancel()
	helpers.Go("plug", func() { s.obey(ctx) })
	return f(ctx)
}

// deviceBanner writes the device files and how to use them.
func deviceBanner(w io.Writer, world, robot string, bus, board int) error {
	text := fmt.Sprintf(`Simulated robot %q in world %q: its I2C bus is /dev/i2c-%d`, robot, world, bus)
	if board >= 0 {
		text += fmt.Sprintf(", the Pi-puck board's is /dev/i2c-%d", board)
	}
	text += fmt.Sprintf(`.
Any I2C program can use it, such as Debian's i2c-tools:
  i2cdetect -y %[1]d                            # 1f is the robot's main processor
  i2cget -y %[1]d 0x29 0xc0                     # the distance sensor says what it is
  %[2]s run --ros-args -p i2c_bus:=%[1]d   # this driver, over the kernel
The world runs in real time. SIGUSR1 unplugs the bus, SIGUSR2 plugs it in again; Ctrl-C ends it.
`, bus, os.Args[0])
	_, err := io.WriteString(w, text)
	return err
}

// serveDevices advances the world, for a duration if it is above 0, until ctx ends. It starts no node: the program
// that opens the devices is the driver. If passing is nil, the world follows the machine's clock.
func serveDevices(ctx context.Context, passing service.WorldTime, duration time.Duration) error {
	if err := service.NotifySystemd(daemon.SdNotifyReady); err != nil { // as a service of Type=notify
		return err
	}
	if passing != nil {
		defer passing.Release() // for transfers under way
		return passing.Run(ctx, duration, func() error { return nil })
	}
	ctx, cancel := frame.Limited(ctx, duration)
	defer cancel()
	<-ctx.Done()
	return nil
}
