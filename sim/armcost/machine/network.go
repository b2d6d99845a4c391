// SPDX-License-Identifier: Apache-2.0

//go:build linux

package machine

import (
	"golang.org/x/sys/unix"
)

// send answers a call that other machines can notice by the network: one that sends, or takes a port. Several machines
// are computed at once, so it becomes a request of the rack, which makes such calls in the order of simulated time
// while no machine runs: what a program receives then depends on simulated time alone.
func (m *Machine) send(t *thread, c *call) (answer, error) {
	if !m.hasPeers || t.state != running {
		return goAhead(), nil
	}
	if ordered, err := t.p.ordered(int(c.args[0])); err != nil || !ordered {
		return goAhead(), err
	}
	m.requests = append(m.requests, &request{m: m, t: t, call: c.id, at: m.now()})
	t.block(wait{deadline: farAway, device: true})
	return answer{}, nil
}

// ordered reports whether calls with a file go through the rack: sockets of IP, but not those of streams whose calls
// wait, because what they wait for may need simulated time.
func (p *program) ordered(fd int) (bool, error) {
	own, err := p.file(fd)
	if err != nil {
		return false, nil //nolint:nilerr // the kernel says what is wrong with it
	}
	domain, err := unix.GetsockoptInt(own, unix.SOL_SOCKET, unix.SO_DOMAIN)
	if err != nil || domain != unix.AF_INET && domain != unix.AF_INET6 {
		return false, unix.Close(own)
	}
	kind, err := unix.GetsockoptInt(own, unix.SOL_SOCKET, unix.SO_TYPE)
	if err != nil {
		return false, joined(err, unix.Close(own))
	}
	mode, err := unix.FcntlInt(uintptr(own), unix.F_GETFL, 0)
	return kind != unix.SOCK_STREAM || mode&unix.O_NONBLOCK != 0, joined(err, unix.Close(own))
}

// sendNow makes the call of a request, and waits until its thread is back: it asks for the core, or makes the next
// call.
func (m *Machine) sendNow(w *request) error {
	t := w.t
	if t.state != blocked || !t.wait.device || t.call != w.call {
		return nil // it has ended, or a signal interrupted it
	}
	t.unwait()
	t.state = detached
	if err := m.answer(t, goAhead()); err != nil {
		return err
	}
	return m.awaitDetached()
}
