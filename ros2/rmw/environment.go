// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"github.com/epuck-ros2/epuck-driver/ros2/rmw/security"
)

// Environment variables of all ROS 2 programs.
const (
	envDomainID       = "ROS_DOMAIN_ID"
	envLocalhostOnly  = "ROS_LOCALHOST_ONLY"
	envDiscoveryRange = "ROS_AUTOMATIC_DISCOVERY_RANGE"
	envStaticPeers    = "ROS_STATIC_PEERS"
)

// Environment variables of this transport, for settings that ROS 2 leaves to each middleware's configuration.
const (
	envInterfaces = "RTPS_INTERFACES"
	envMulticast  = "RTPS_MULTICAST"
	envMost       = "RTPS_MAX_PARTICIPANTS"
	envMemory     = "RTPS_DISCOVERY_MEMORY"
	envShared     = "RTPS_SHARED_MEMORY"
)

// maxDomainID is the highest domain with valid ports (DDSI-RTPS 9.6.1.1).
const maxDomainID = 232

// FromEnvironment reads the configuration from environment variables; lookup is [os.LookupEnv] or equivalent:
//
//   - ROS_DOMAIN_ID: a number, 0x… and 0… as in C; 0 … 232
//   - ROS_LOCALHOST_ONLY: 1 restricts discovery to this machine and ignores the
//     static peers (deprecated since Iron, but supported)
//   - ROS_AUTOMATIC_DISCOVERY_RANGE: SUBNET, LOCALHOST, OFF or SYSTEM_DEFAULT
//   - ROS_STATIC_PEERS: IPv4 addresses and names of machines, separated by
//     semicolons
//   - RTPS_INTERFACES: names, addresses or subnets of the network interfaces to
//     use, separated by semicolons; all suitable ones by default
//   - RTPS_MULTICAST: off (or 0, false, no) keeps discovery to the static peers, for
//     networks that drop multicast; on (or 1, true, yes) is the default
//   - RTPS_MAX_PARTICIPANTS: the largest number of remote participants;
//     1024 by default
//   - RTPS_DISCOVERY_MEMORY: memory for the descriptions of their endpoints, MiB;
//     64 by default
//   - RTPS_SHARED_MEMORY: shared memory for large messages within this machine,
//     MiB; none by default, and with 0 (or off, false, no)
//   - ROS_SECURITY_ENABLE, ROS_SECURITY_STRATEGY, ROS_SECURITY_KEYSTORE, ROS_SECURITY_ENCLAVE_OVERRIDE: see package
//     security
//
// Empty variables count as unset. An error wraps [ErrEnvironment] and names the variable: unlike in other
// implementations, an invalid value is an error.
func FromEnvironment(lookup func(string) (string, bool)) (Config, error) {
	cfg := Config{Security: security.FromEnvironment(lookup)}
	for _, v := range []struct {
		name string
		read func(*Config, string) error
	}{
		{envDomainID, readDomainID},
		{envDiscoveryRange, readDiscoveryRange},
		{envStaticPeers, readStaticPeers},
		{envInterfaces, readInterfaces},
		{envMulticast, readMulticast},
		{envMost, readMost},
		{envMemory, readMemory},
		{envShared, readShared},
		{envLocalhostOnly, readLocalhostOnly}, // last: it overrides range and peers
	} {
		value, _ := lookup(v.name)
		if value = strings.TrimSpace(value); value == "" {
			continue
		}
		if err := v.read(&cfg, value); err != nil {
			return Config{}, fmt.Errorf("%w: %s=%q: %w", ErrEnvironment, v.name, value, err)
		}
	}
	return cfg, nil
}

func readDomainID(cfg *Config, value string) error {
	id, err := parseUnsigned(value)
	if err != nil {
		return errors.New("want a number")
	}
	if id > maxDomainID {
		return fmt.Errorf("the greatest domain is %d", maxDomainID)
	}
	cfg.DomainID = uint32(id)
	return nil
}

// parseUnsigned parses decimal, 0x… and 0… numbers, as strtoul(…, 0) does.
func parseUnsigned(s string) (uint64, error) {
	digits, base := s, 10
	switch {
	case strings.HasPrefix(s, "0x"), strings.HasPrefix(s, "0X"):
		digits, base = s[2:], 16
	case len(s) > 1 && s[0] == '0':
		digits, base = s[1:], 8
	}
	return strconv.ParseUint(digits, base, 64)
}

func readLocalhostOnly(cfg *Config, value string) error {
	switch value {
	case "0":
	case "1":
		cfg.Range, cfg.StaticPeers, cfg.StaticHosts = Localhost, nil, nil
	default:
		return errors.New("want 0 or 1")
	}
	return nil
}

func readDiscoveryRange(cfg *Config, value string) error {
	switch value {
	case "SUBNET", "SYSTEM_DEFAULT":
		cfg.Range = Subnet
	case "LOCALHOST":
		cfg.Range = Localhost
	case "OFF":
		cfg.Range = Off
	default:
		return errors.New("want SUBNET, LOCALHOST, OFF or SYSTEM_DEFAULT")
	}
	return nil
}

func readStaticPeers(cfg *Config, value string) error {
	for _, peer := range strings.Split(value, ";") {
		if peer = strings.TrimSpace(peer); peer == "" {
			continue
		}
		if isHostName(peer) {
			cfg.StaticHosts = append(cfg.StaticHosts, peer)
			continue
		}
		addr, err := netip.ParseAddr(peer)
		if err != nil || !addr.Is4() {
			return fmt.Errorf("%q is neither an IPv4 address nor a host name", peer)
		}
		if addr.IsUnspecified() || addr.IsMulticast() {
			return fmt.Errorf("%q is not the address of a machine", peer)
		}
		cfg.StaticPeers = append(cfg.StaticPeers, addr)
	}
	return nil
}

func readInterfaces(cfg *Config, value string) error {
	for _, name := range strings.Split(value, ";") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		if strings.ContainsAny(name, " ,") {
			return fmt.Errorf("%q is neither a name, an address nor a subnet of an interface; separate several by semicolons", name)
		}
		cfg.Interfaces = append(cfg.Interfaces, name)
	}
	return nil
}

func readMulticast(cfg *Config, value string) error {
	on, ok := readSwitch(value)
	if !ok {
		return errors.New("want on or off")
	}
	cfg.NoMulticast = !on
	return nil
}

// readSwitch reads the values that programs use for a switch, in any case: on, 1, true and yes, or off, 0, false and
// no.
func readSwitch(value string) (on, ok bool) {
	switch strings.ToLower(value) {
	case "on", "1", "true", "yes":
		return true, true
	case "off", "0", "false", "no":
		return false, true
	}
	return false, false
}

func readMost(cfg *Config, value string) (err error) {
	cfg.MaxParticipants, err = readCount(value, 1_000_000)
	return err
}

func readMemory(cfg *Config, value string) error {
	n, err := readCount(value, 2047) // the range of a 32-bit int, in bytes
	cfg.DiscoveryMemory = n << 20
	return err
}

func readShared(cfg *Config, value string) error {
	if on, ok := readSwitch(value); ok && !on {
		cfg.SharedMemory = 0
		return nil
	}
	n, err := readCount(value, 2047)
	if err != nil {
		return fmt.Errorf("%w, of MiB, or 0 for none", err)
	}
	cfg.SharedMemory = n << 20
	return nil
}

// readCount parses a number from 1 to most.
func readCount(value string, most int) (int, error) {
	n, err := parseUnsigned(value)
	if err != nil || n < 1 || n > uint64(most) {
		return 0, fmt.Errorf("want a number from 1 to %d", most)
	}
	return int(n), nil
}
