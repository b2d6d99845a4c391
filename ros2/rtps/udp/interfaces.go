// SPDX-License-Identifier: Apache-2.0

package udp

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
)

// iface is a network interface the participant uses, with one IPv4 address of it.
type iface struct {
	index  int
	name   string
	prefix netip.Prefix // address and subnet
}

// interfaceAddr is one IPv4 address of the machine, as the operating system lists it.
type interfaceAddr struct {
	iface
	flags net.Flags
}

// systemInterfaces lists the IPv4 addresses of all interfaces.
func systemInterfaces() ([]interfaceAddr, error) {
	all, err := net.Interfaces()
	if err != nil {
		return nil, err
	}
	var list []interfaceAddr
	for _, i := range all {
		addrs, err := i.Addrs()
		if err != nil {
			continue // removed meanwhile
		}
		for _, a := range addrs {
			prefix, err := netip.ParsePrefix(a.String())
			if err != nil || !prefix.Addr().Unmap().Is4() {
				continue
			}
			list = append(list, interfaceAddr{iface{i.Index, i.Name, prefix}, i.Flags})
		}
	}
	return list, nil
}

// selectInterfaces chooses the addresses to use: those selected by name, address or subnet, else every multicast
// interface that is up, physical ones before bridges and tunnels; the loopback interface only if there is no other.
func selectInterfaces(all []interfaceAddr, wanted []string) ([]iface, error) {
	var list, loopback []iface
	for _, a := range all {
		switch {
		case a.flags&net.FlagUp == 0:
		case len(wanted) > 0:
			if slices.ContainsFunc(wanted, a.matches) {
				list = append(list, a.iface)
			}
		case a.flags&net.FlagLoopback != 0:
			loopback = append(loopback, a.iface)
		case a.flags&net.FlagMulticast != 0:
			list = append(list, a.iface)
		}
	}
	if len(list) == 0 && len(wanted) == 0 {
		list = loopback
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%w: wanted %q, found %d IPv4 addresses", errNoInterface, wanted, len(all))
	}
	slices.SortStableFunc(list, func(a, b iface) int { return a.rank() - b.rank() })
	return list, nil
}

// loopbackInterface returns the loopback interface with its first address, 127.0.0.1; its index is 0 if the machine has
// none that is up.
func loopbackInterface(all []interfaceAddr) iface {
	lo := iface{name: "lo", prefix: netip.PrefixFrom(loopback(0), 8)}
	for _, a := range all {
		if a.flags&(net.FlagLoopback|net.FlagUp) == net.FlagLoopback|net.FlagUp {
			lo.name, lo.index = a.name, a.index
			break
		}
	}
	return lo
}

// matches reports whether a configured entry is the name, address or subnet of this interface.
func (i iface) matches(wanted string) bool {
	if wanted == i.name || wanted == i.prefix.Addr().String() {
		return true
	}
	p, err := netip.ParsePrefix(wanted)
	return err == nil && p.Contains(i.prefix.Addr())
}

// rank orders interfaces: peers try the first locator, and a peer on another host cannot reach a bridge or tunnel of
// ours.
func (i iface) rank() int {
	for _, virtual := range []string{"docker", "br-", "virbr", "veth", "vmnet", "tun", "tap", "tailscale", "wg", "zt"} {
		if strings.HasPrefix(i.name, virtual) {
			return 1
		}
	}
	return 0
}

// find returns the number of the interface on whose subnet addr is the address of a host, or -1.
func find(list []iface, addr netip.Addr) int {
	if !addr.Is4() || addr.IsMulticast() || addr.IsUnspecified() {
		return -1
	}
	for n, i := range list {
		if i.prefix.Contains(addr) && addr != broadcast(i.prefix) {
			return n
		}
	}
	return -1
}

// broadcast returns the directed broadcast address of a subnet, or the zero Addr if it has none.
func broadcast(p netip.Prefix) netip.Addr {
	if p.Bits() >= 31 {
		return netip.Addr{}
	}
	a := p.Addr().As4()
	for bit := p.Bits(); bit < 32; bit++ {
		a[bit/8] |= 0x80 >> (bit % 8)
	}
	return netip.AddrFrom4(a)
}
