// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
)

// keysVariable names the folder of an enclave to a peer.
const keysVariable = "PEER_KEYS"

// startSecured runs a peer with the files of an enclave.
func (s *stack) startSecured(t testing.TB, domain uint32, folder string) *peer {
	t.Helper()
	needNamespace(t)
	return s.launchSecured(t, exec.Command(s.path(t), fmt.Sprint(domain), "0"), folder)
}

// launchSecured starts the command of a peer with the files of an enclave.
func (s *stack) launchSecured(t testing.TB, cmd *exec.Cmd, folder string) *peer {
	t.Helper()
	cmd.Env = append(os.Environ(), keysVariable+"="+folder)
	if s == cyclone { // whose plugins are libraries in a folder of their own
		plugins, err := filepath.Glob("/usr/lib/*/libddsc*/libdds_security_auth.so")
		if err != nil || len(plugins) == 0 {
			unavailable(t, "Cyclone DDS has no plugins for DDS Security: %v", err)
		}
		cmd.Env = append(cmd.Env, "LD_LIBRARY_PATH="+filepath.Dir(plugins[len(plugins)-1]))
	}
	p := launch(t, s.name, cmd)
	p.done("open", "")
	return p
}

// protections are governances in which each kind of protection occurs; the last two are those that fail first.
var protections = []governance{
	{"NONE", "NONE", "NONE", "NONE", "NONE"},
	{"SIGN", "NONE", "NONE", "NONE", "NONE"},
	{"ENCRYPT", "NONE", "NONE", "NONE", "NONE"},
	{"NONE", "ENCRYPT", "ENCRYPT", "NONE", "NONE"},
	{"NONE", "SIGN", "SIGN", "SIGN", "NONE"},
	{"NONE", "NONE", "NONE", "ENCRYPT", "NONE"},
	{"NONE", "NONE", "NONE", "NONE", "ENCRYPT"},
	{"SIGN", "ENCRYPT", "ENCRYPT", "ENCRYPT", "ENCRYPT"},
	{"SIGN_WITH_ORIGIN_AUTHENTICATION", "ENCRYPT_WITH_ORIGIN_AUTHENTICATION", "SIGN", "SIGN_WITH_ORIGIN_AUTHENTICATION", "NONE"},
	{"NONE", "NONE", "NONE", "NONE", "SIGN"},
	{"ENCRYPT_WITH_ORIGIN_AUTHENTICATION", "SIGN_WITH_ORIGIN_AUTHENTICATION", "NONE", "ENCRYPT_WITH_ORIGIN_AUTHENTICATION", "ENCRYPT"},
}

// name returns the kinds in a row.
func (g governance) name() string {
	list := strings.Join([]string{g.rtps, g.discovery, g.liveliness, g.metadata, g.data}, ",")
	return strings.ReplaceAll(list, "_WITH_ORIGIN_AUTHENTICATION", "+")
}

// TestSecuredPairs: in each kind of protection samples arrive from each peer and at it, written before and after the
// match, with the time at which they were written.
func TestSecuredPairs(t *testing.T) {
	list := protections
	if !suite.Long {
		list = list[len(list)-2:]
	}
	for _, g := range list {
		for _, s := range stacks {
			t.Run(g.name()+"/"+s.name, func(t *testing.T) { testSecuredPair(t, g, s) })
		}
	}
}

func testSecuredPair(t *testing.T, g governance, s *stack) {
	domain := newDomain()
	k := newKeystore(t, g)
	q := qos{reliable: true, transientLocal: true, depth: 100}
	o := startOurs(t, rtps.Config{DomainID: domain, Security: k.config(k.enclave("ours", "rt/*"), domain)})
	w, r := o.writer("rt/ours", typeString, q), o.reader("rt/theirs", typeString, q)
	w.strings(3)
	p := s.startSecured(t, domain, k.enclave("theirs", "rt/*"))
	p.send("writer w string %s %s", "rt/theirs", q.words())
	p.send("reader r string %s %s", "rt/ours", q.words())
	p.send("write w 5")
	w.matched(1)
	r.matched(1)
	w.strings(5)
	expectStrings(t, p, "r", 1, 8)
	expectNumbers(t, r, stringNumber, 1, 5)
	p.send("write w 3")
	expectNumbers(t, r, stringNumber, 6, 7)
	if at := r.next().source; at.IsZero() {
		t.Error("a sample has no source time")
	}
	p.quit()
}
