// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// checkInterfaces checks for a network interface that is up with an address.
func checkInterfaces(_ context.Context, m *Machine) []Finding {
	if m.Interfaces == nil {
		return nil
	}
	all, err := m.Interfaces()
	if err != nil {
		return skipped("network interfaces", err.Error())
	}
	var good, disabled []string
	for _, i := range all {
		if i.Loopback || !i.Up || len(i.Addresses) == 0 {
			continue
		}
		var addrs []string
		for _, a := range i.Addresses {
			addrs = append(addrs, a.String())
		}
		name := i.Name + " " + strings.Join(addrs, " ")
		if good = append(good, name); !i.Multicast {
			disabled = append(disabled, i.Name)
		}
	}
	switch {
	case len(good) == 0:
		return failure("network interfaces", "none is up with an IPv4 address: no other machine can hear this robot", "sudo nmcli device wifi connect NAME password PASSWORD  # older systems: sudo raspi-config")
	case len(disabled) > 0:
		return warning("network interfaces", list(good)+"; no multicast on "+list(disabled), "sudo ip link set "+disabled[0]+" multicast on")
	}
	return ok("network interfaces", list(good))
}

// checkLoopback reports how programs of this machine discover each other with ROS_LOCALHOST_ONLY=1: it depends on a
// flag of the loopback interface, which instructions of other projects have users set.
func checkLoopback(_ context.Context, m *Machine) []Finding {
	if m.Interfaces == nil {
		return nil
	}
	all, err := m.Interfaces()
	if err != nil {
		return skipped("loopback", err.Error())
	}
	for _, i := range all {
		switch {
		case !i.Loopback || !i.Up || len(i.Addresses) == 0:
		case i.Multicast:
			return ok("loopback", i.Name+" has multicast: with ROS_LOCALHOST_ONLY=1 Cyclone DDS discovers by multicast on it, this driver by multicast and unicast")
		default:
			return ok("loopback", i.Name+" has no multicast: with ROS_LOCALHOST_ONLY=1 Cyclone DDS discovers by unicast on it, at most 10 programs, this driver by multicast and unicast")
		}
	}
	return warning("loopback", "no loopback interface is up with an IPv4 address: with ROS_LOCALHOST_ONLY=1 no program finds another", "sudo ip link set lo up")
}

// minReceiveBuffer holds a raw 640 × 480 image and other messages, bytes.
const minReceiveBuffer = 208 * 1024

// checkSockets checks the kernel's limit of receive buffers, which large messages need.
func checkSockets(_ context.Context, m *Machine) []Finding {
	const file = "/proc/sys/net/core/rmem_max"
	n, err := strconv.Atoi(m.text(file))
	switch {
	case err != nil:
		return skipped("socket buffers", file+" has no value")
	case n < minReceiveBuffer:
		return warning("socket buffers", fmt.Sprintf("at most %d kB", n/1024), "sudo sysctl -w net.core.rmem_max=2097152")
	}
	return ok("socket buffers", fmt.Sprintf("up to %d kB", n/1024))
}

// checkEnvironment checks the variables that determine with which participants ROS 2 communicates.
func checkEnvironment(_ context.Context, m *Machine) []Finding {
	if m.CheckEnvironment == nil || m.Getenv == nil {
		return nil
	}
	if _, err := m.CheckEnvironment(); err != nil {
		return failure("ROS environment", firstLine(err.Error()), "unset ROS_DOMAIN_ID ROS_LOCALHOST_ONLY ROS_AUTOMATIC_DISCOVERY_RANGE ROS_STATIC_PEERS  # or set them right")
	}
	domain := m.Getenv("ROS_DOMAIN_ID")
	if domain == "" {
		domain = "0"
	}
	local := m.Getenv("ROS_LOCALHOST_ONLY") == "1"
	switch strings.ToUpper(m.Getenv("ROS_AUTOMATIC_DISCOVERY_RANGE")) {
	case "LOCALHOST", "OFF":
		local = m.Getenv("ROS_STATIC_PEERS") == ""
	}
	if local {
		return warning("ROS environment", "domain "+domain+", for this machine only: no other machine sees the robot", "unset ROS_LOCALHOST_ONLY ROS_AUTOMATIC_DISCOVERY_RANGE")
	}
	return ok("ROS environment", "domain "+domain)
}

// checkNetwork joins the network and reports the discovered participants.
func checkNetwork(ctx context.Context, m *Machine) []Finding {
	if m.Network == nil {
		return nil
	}
	if refused(m) {
		return skipped("ROS network", "not joined: ROS_SECURITY_STRATEGY=Enforce, without keys")
	}
	n, err := m.Network(ctx)
	if err != nil {
		return failure("ROS network", firstLine(err.Error()), "ip address  # an interface must be up")
	}
	var found []Finding
	if n.Multicast {
		found = ok("multicast", "what is sent to the discovery's group comes back")
	} else {
		found = warning("multicast", "what is sent to the discovery's group does not come back: others will not find this robot by themselves",
			"export ROS_STATIC_PEERS=ADDRESS  # of the other machine; or allow UDP 7400 to 7500 and 239.255.0.1 in the firewall: sudo nft list ruleset")
	}
	for _, text := range n.Refused {
		found = append(found, warning("refused by security", text,
			"epuck-driver security create_class KEYSTORE class.yaml  # and give it the folder of its enclave again")...)
	}
	if len(n.Participants) == 0 {
		return append(found, warning("others on the network", fmt.Sprintf("none in domain %d", n.Domain),
			"ROS_DOMAIN_ID="+strconv.Itoa(n.Domain)+" ros2 topic list  # on another machine of this network: same domain, no firewall")...)
	}
	return append(found, ok("others on the network", fmt.Sprintf("%d in domain %d: %s", len(n.Participants), n.Domain, list(n.Participants)))...)
}
