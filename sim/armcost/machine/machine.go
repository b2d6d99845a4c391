// SPDX-License-Identifier: Apache-2.0

//go:build linux

package machine

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

// Bus is what an I2C device file of the machine leads to.
type Bus interface {
	// Tx writes w and reads r in one transaction with the chip at an address of 7 bits.
	Tx(addr uint16, w, r []byte) error
}

// Config is what a machine is made of.
type Config struct {
	// Plugin is the model: what target.BuildPlugin made. It is required.
	Plugin string
	// Parameters are the core's; their likely values make the time. They are required.
	Parameters armcost.Parameters
	// Start is what the clock of the day shows at 0. It defaults to the start of the year 2000, UTC.
	Start time.Time
	// Slice is how long a thread has the core while others want it. It defaults to 3 ms.
	Slice time.Duration
	// Files is a folder with files that the programs see instead of this computer's: Files/etc/hosts for /etc/hosts.
	// Those of the buses are made in it. It is required where there are buses.
	Files string
	// Buses are the I2C buses by number: /dev/i2c-N.
	Buses map[int]Bus
	// Seed chooses what the programs get of the kernel's random bytes. Programs that must be distinguished by
	// them, as DDS participants do, need machines with different seeds.
	Seed uint32
	// Processor is the number of the processor of this computer that the programs run on; below 0 any.
	Processor int
}

// Machine is a robot's computer: one core, and the programs that share it. Its time advances in [Rack.Advance] alone.
// It is not safe for concurrent use.
type Machine struct {
	cfg      Config
	core     *shared
	programs []*program
	threads  map[int]*thread // by their number on this computer
	order    []*thread       // in the order of birth
	timers   []*timer
	buses    map[int]*bus
	requests []*request // to the world outside, since the rack's last look
	started  int
	hasPeers bool // there are other machines that may receive what it sends

	last     *thread // that had the core
	from     ticks   // since when
	sliceEnd ticks
	floor    ticks // virtual time of whom is behind most
	waited   uint64
	fds      []unix.PollFd
}

// maxPrograms is how many the model's caches distinguish.
const maxPrograms = 15

// newMachine makes a machine without programs.
func newMachine(cfg Config) (*Machine, error) {
	if cfg.Start.IsZero() {
		cfg.Start = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)
	}
	if cfg.Slice <= 0 {
		cfg.Slice = defaultSlice
	}
	if !(cfg.Parameters.Parameters["core"].Likely >= 1) {
		return nil, fmt.Errorf("%w: no frequency of the core", errConfig)
	}
	if len(cfg.Buses) > 0 && cfg.Files == "" {
		return nil, fmt.Errorf("%w: buses, but no folder for their files", errConfig)
	}
	core, err := share("core", coreSize)
	if err != nil {
		return nil, err
	}
	core.header().prepare(cfg.Parameters, cfg.Start)
	m := &Machine{cfg: cfg, core: core, threads: map[int]*thread{}, buses: map[int]*bus{}}
	if err := m.plug(); err != nil {
		core.close()
		return nil, err
	}
	return m, nil
}

func (m *Machine) now() ticks                  { return ticks(m.core.header().now.Load()) }
func (m *Machine) ticks(d time.Duration) ticks { return m.core.header().ticks(d) }

// forget takes a thread out that has ended.
func (m *Machine) forget(t *thread) {
	t.unwait()
	t.state = detached
	delete(m.threads, t.tid)
	kept := m.order[:0]
	for _, o := range m.order {
		if o != t {
			kept = append(kept, o)
		}
	}
	clear(m.order[len(kept):])
	m.order = kept
}

// ended takes a program out that has ended.
func (m *Machine) ended(p *program) {
	p.over, p.ended = true, m.now()
	for i := len(m.order) - 1; i >= 0; i-- {
		if m.order[i].p == p {
			m.forget(m.order[i])
		}
	}
	m.forgetTimer(p, -1)
	p.close()
}

// close kills all programs.
func (m *Machine) close() error {
	var errs []error
	for _, p := range m.programs {
		errs = append(errs, m.discard(p))
	}
	m.core.close()
	return errors.Join(errs...)
}

// lines are those of a file's bytes.
func lines(data []byte) func(func(string) bool) { return strings.Lines(string(data)) }
