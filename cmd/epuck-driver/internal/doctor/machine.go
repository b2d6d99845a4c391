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

// Machine gives the checks access to a machine. [ThisMachine] returns the real one; tests use fake ones. The checks
// that need a nil field are skipped.
type Machine struct {
	// Root is the file system, rooted at /. It must be able to read symbolic links.
	Root fs.FS
	// Bus is the value of the driver's parameter i2c_bus.
	Bus string
	// Access reports whether this user may read and write the file.
	Access func(path string) error
	// OpenBus opens a bus by a name of i2c.Open. The caller closes it.
	OpenBus func(name string) (pi2c.BusCloser, error)
	// Groups returns the names of the groups of this process.
	Groups func() ([]string, error)
	// User is the name of the user, root or another.
	User string
	// Clock returns the state of the system's clock.
	Clock func() (Clock, error)
	// Disk returns the free space for ordinary users and the size of the file system of a path, bytes.
	Disk func(path string) (free, size uint64, err error)
	// Interfaces returns the network interfaces.
	Interfaces func() ([]Interface, error)
	// Network joins the ROS network for a few seconds and returns the other participants, or the reason why it can't.
	Network func(ctx context.Context) (Neighbours, error)
	// Systemctl runs "systemctl show" for a unit and returns its properties.
	Systemctl func(ctx context.Context, unit string) (map[string]string, error)
	// Getenv returns an environment variable, empty if it is not set.
	Getenv func(name string) string
	// CheckEnvironment returns the domain of the environment, or an error about its ROS variables.
	CheckEnvironment func() (domain uint32, err error)
	// CheckParameters returns an error if a parameter file of the driver is invalid.
	CheckParameters func(path string) error
	// Calibrated returns the parts that can be calibrated, with the times of their calibrations.
	Calibrated func() ([]Calibration, error)
	// Driver returns the identifier of a process that runs the driver, 0 if there is none.
	Driver func() int
}

// Clock is the state of the system's clock.
type Clock struct {
	// Now is the current time.
	Now time.Time
	// Synchronised reports whether the kernel considers the clock synchronised, such as by NTP.
	Synchronised bool
	// MaxError is the maximum error of a synchronised clock.
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

// Neighbours are the participants that were discovered.
type Neighbours struct {
	// Domain is the DDS domain, ROS_DOMAIN_ID.
	Domain int
	// Multicast reports whether a datagram sent to the discovery multicast group was received.
	Multicast bool
	// Participants are the names of the discovered participants.
	Participants []string
	// Refused has a text, with the reason, for each participant whose keys or permissions were rejected.
	Refused []string
}

// text returns the content of a file of one line; empty if it does not exist.
func (m *Machine) text(path string) string {
	b, err := fs.ReadFile(m.Root, strings.TrimPrefix(path, "/"))
	if err != nil {
		return ""
	}
	return strings.TrimRight(strings.TrimSpace(string(b)), "\x00")
}

// exists reports whether a file exists.
func (m *Machine) exists(path string) bool {
	_, err := fs.Stat(m.Root, strings.TrimPrefix(path, "/"))
	return err == nil
}
