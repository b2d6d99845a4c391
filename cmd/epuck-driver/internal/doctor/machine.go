// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"context"
	"io/fs"
	"net/netip"
	"strings"
	"time"

	pi2c "periph.io/x/conn/v3/i2c"
)

// Machine is what the checks look at. [ThisMachine] gives the real one; tests make up others. A field that is nil
// leaves the checks that need it out.
type Machine struct {
	// Root is the file system, rooted at /. It must be able to read symbolic links.
	Root fs.FS
	// Bus is the value of the driver's parameter i2c_bus.
	Bus string
	// Access reports whether this user may read and write the file.
	Access func(path string) error
	// OpenBus opens a bus by a name as i2c.Open takes it. The caller closes it.
	OpenBus func(name string) (pi2c.BusCloser, error)
	// Groups gives the names of the groups this process has.
	Groups func() ([]string, error)
	// User is the name of the user, root or another.
	User string
	// Clock gives the system's clock: whether it is synchronised, and how far off it may be.
	Clock func() (Clock, error)
	// Disk gives how many bytes the file system of a path has free for ordinary users, of how many.
	Disk func(path string) (free, size uint64, err error)
	// Interfaces gives the network interfaces.
	Interfaces func() ([]Interface, error)
	// Network joins the ROS network for a few seconds and returns the other participants. The error says why it could
	// not.
	Network func(ctx context.Context) (Neighbours, error)
	// Systemctl runs "systemctl show" for a unit and gives its properties.
	Systemctl func(ctx context.Context, unit string) (map[string]string, error)
	// Getenv gives an environment variable, empty if there is none.
	Getenv func(name string) string
	// CheckEnvironment returns the domain of the environment, or what is wrong with its ROS variables.
	CheckEnvironment func() (domain uint32, err error)
	// CheckParameters reports what is wrong with a parameter file of the driver.
	CheckParameters func(path string) error
	// Calibrated gives what can be calibrated, and when it was.
	Calibrated func() ([]Calibration, error)
	// Driver gives the process that runs the driver already, 0 if there is none.
	Driver func() int
}

// Clock is the state of the system's clock.
type Clock struct {
	// Now is its time.
	Now time.Time
	// Synchronised reports whether the kernel considers it synchronised, by NTP for instance.
	Synchronised bool
	// MaxError is the most it may be off then.
	MaxError time.Duration
}

// Interface is one network interface.
type Interface struct {
	// Name is the kernel's: wlan0.
	Name string
	// Up, Loopback and Multicast are the interface's flags.
	Up, Loopback, Multicast bool
	// Addresses are its IPv4 addresses.
	Addresses []netip.Addr
}

// Neighbours is who was heard of.
type Neighbours struct {
	// Domain is the DDS domain, ROS_DOMAIN_ID.
	Domain int
	// Multicast reports whether what was sent to the discovery multicast group came back.
	Multicast bool
	// Participants names the others that were discovered.
	Participants []string
	// Refused says of each whose keys or permissions were refused which one, and why.
	Refused []string
}

// text reads a file of one line; empty if there is none.
func (m *Machine) text(path string) string {
	b, err := fs.ReadFile(m.Root, strings.TrimPrefix(path, "/"))
	if err != nil {
		return ""
	}
	return strings.TrimRight(strings.TrimSpace(string(b)), "\x00")
}

// exists reports whether a file is there.
func (m *Machine) exists(path string) bool {
	_, err := fs.Stat(m.Root, strings.TrimPrefix(path, "/"))
	return err == nil
}
