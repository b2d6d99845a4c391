// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"context"
	"log/slog"
	"maps"
	"net"
	"net/netip"
	"slices"
	"strings"
	"time"
)

// Periods of resolving hosts: short while one is unresolved, since the network may be up late after booting, and longer
// otherwise, as addresses may change.
const (
	lookupRetry   = 5 * time.Second
	lookupRefresh = time.Minute
	lookupTimeout = 10 * time.Second
)

// hosts resolves the names of static peers.
type hosts struct {
	names   []string
	fixed   []netip.Addr // peers given by address
	resolve func(context.Context, string) ([]netip.Addr, error)
	set     func([]netip.Addr)
	log     *slog.Logger

	known  map[string][]netip.Addr
	logged map[string]string // the last error logged of each host
}

// newHosts returns a resolver of the hosts of a configuration; set is called with all peers whenever they change.
func newHosts(cfg Config, fixed []netip.Addr, log *slog.Logger, set func([]netip.Addr)) *hosts {
	h := &hosts{names: cfg.StaticHosts, fixed: fixed, resolve: cfg.Resolve, set: set, log: log,
		known: map[string][]netip.Addr{}, logged: map[string]string{}}
	if h.resolve == nil {
		h.resolve = func(ctx context.Context, host string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip4", host)
		}
	}
	return h
}

// resolveAll resolves the hosts periodically until ctx ends.
func (h *hosts) resolveAll(ctx context.Context) {
	for {
		if h.lookUp(ctx) {
			h.set(h.peers())
		}
		wait := lookupRefresh
		if len(h.known) < len(h.names) {
			wait = lookupRetry
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
	}
}

// lookUp resolves every host and reports whether an address changed. A resolved host keeps its addresses if resolving
// it fails later.
func (h *hosts) lookUp(ctx context.Context) (changed bool) {
	for _, name := range h.names {
		asking, cancel := context.WithTimeout(ctx, lookupTimeout)
		found, err := h.resolve(asking, name)
		cancel()
		if ctx.Err() != nil {
			return false
		}
		var addrs []netip.Addr
		for _, a := range found {
			if a = a.Unmap(); a.Is4() && !a.IsUnspecified() && !a.IsMulticast() {
				addrs = append(addrs, a)
			}
		}
		slices.SortFunc(addrs, netip.Addr.Compare)
		if len(addrs) == 0 {
			h.logFailure(name, err)
			continue
		}
		delete(h.logged, name)
		if !slices.Equal(addrs, h.known[name]) {
			h.known[name], changed = addrs, true
			h.log.Info("static peer found", slog.String("host", name), slog.Any("addresses", addrs))
		}
	}
	return changed
}

// logFailure logs that a host was not found, if the error has changed.
func (h *hosts) logFailure(name string, err error) {
	text := "no IPv4 address"
	if err != nil {
		text = err.Error()
	}
	if h.logged[name] != text {
		h.logged[name] = text
		h.log.Warn("static peer not found, trying again", slog.String("host", name), slog.String("error", text))
	}
}

// peers returns all known addresses.
func (h *hosts) peers() []netip.Addr {
	out := slices.Clone(h.fixed)
	for _, name := range slices.Sorted(maps.Keys(h.known)) {
		out = append(out, h.known[name]...)
	}
	return out
}

// isHostName reports whether s may be a host name (RFC 1123, and underscores, which some networks use). A mistyped
// address is not one.
func isHostName(s string) bool {
	labels := strings.Split(strings.TrimSuffix(s, "."), ".")
	if len(s) > 253 || strings.Trim(labels[len(labels)-1], "0123456789") == "" {
		return false
	}
	for _, label := range labels {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for _, c := range []byte(label) {
			letter := c|0x20 >= 'a' && c|0x20 <= 'z'
			if !letter && (c < '0' || c > '9') && c != '-' && c != '_' {
				return false
			}
		}
	}
	return true
}
