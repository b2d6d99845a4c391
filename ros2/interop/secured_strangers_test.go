// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
)

// revoke puts a list of the authority, with the certificate of another enclave, into the folder of an enclave.
func (k *keystore) revoke(folder, other string) {
	k.t.Helper()
	data, err := os.ReadFile(filepath.Join(other, "cert.pem"))
	k.no(err)
	block, _ := pem.Decode(data)
	cert, err := x509.ParseCertificate(block.Bytes)
	k.no(err)
	authority := *k.cert
	authority.KeyUsage = x509.KeyUsageCRLSign // it restricts no use, which CreateRevocationList wants stated
	list, err := x509.CreateRevocationList(rand.Reader, &x509.RevocationList{
		Number: big.NewInt(1), ThisUpdate: time.Now().Add(-time.Hour), NextUpdate: time.Now().Add(24 * time.Hour),
		RevokedCertificateEntries: []x509.RevocationListEntry{{SerialNumber: cert.SerialNumber, RevocationTime: time.Now().Add(-time.Minute)}},
	}, &authority, k.key)
	k.no(err)
	k.no(os.WriteFile(filepath.Join(folder, "crl.pem"), pem.EncodeToMemory(&pem.Block{Type: "X509 CRL", Bytes: list}), 0o600))
}

// TestSecuredStrangers: programs of each stack without keys, with keys of another authority or with a certificate that
// is revoked here match nothing of ours, and no sample gets through in either direction, while a valid one works.
func TestSecuredStrangers(t *testing.T) {
	for name, start := range map[string]func(t *testing.T, s *stack, domain uint32, k *keystore, own string) *peer{
		"no keys": func(t *testing.T, s *stack, domain uint32, _ *keystore, _ string) *peer { return s.start(t, domain, 0) },
		"another authority": func(t *testing.T, s *stack, domain uint32, _ *keystore, _ string) *peer {
			return s.startSecured(t, domain, newKeystore(t, encrypted).enclave("stranger", "*"))
		},
		"revoked": func(t *testing.T, s *stack, domain uint32, k *keystore, own string) *peer {
			folder := k.enclave("stranger", "*")
			k.revoke(own, folder)
			return s.startSecured(t, domain, folder)
		},
	} {
		if !suite.Long && name != "revoked" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			eachStack(t, func(t *testing.T, s *stack, domain uint32) {
				k := newKeystore(t, encrypted)
				own := k.enclave("ours", "*")
				stranger := start(t, s, domain, k, own)
				testStranger(t, s, domain, k, own, stranger)
			})
		})
	}
}

func testStranger(t *testing.T, s *stack, domain uint32, k *keystore, own string, stranger *peer) {
	t.Helper()
	q := qos{reliable: true, transientLocal: true, depth: 100}
	stranger.send("writer w string %s %s", "rt/theirs", q.words())
	stranger.send("reader r string %s %s", "rt/ours", q.words())
	stranger.send("write w 5")
	o := startOurs(t, rtps.Config{DomainID: domain, Security: k.config(own, domain)})
	w, r := o.writer("rt/ours", typeString, q), o.reader("rt/theirs", typeString, q)
	w.strings(3)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for end := time.After(timeout); len(o.p.Refusals()) != 1; {
		select {
		case <-tick.C:
		case <-end:
			t.Fatalf("never refused: %+v", o.p.Refusals())
		}
	}
	valid := s.startSecured(t, domain, k.enclave("theirs", "*"))
	valid.send("writer w string %s %s", "rt/theirs", q.words())
	valid.send("reader r string %s %s", "rt/ours", q.words())
	valid.send("write w 3")
	w.strings(5)
	expectStrings(t, valid, "r", 1, 8)
	expectNumbers(t, r, stringNumber, 1, 3)
	if n, m := w.Matched(), r.Reader.Matched(); n != 1 || m != 1 || len(o.p.Refusals()) != 1 {
		t.Errorf("%d readers and %d writers matched, refused: %+v", n, m, o.p.Refusals())
	}
	valid.quit()
	stranger.quit()
	for line := range strings.SplitSeq(stranger.output.tail(1<<20), "\n") {
		if e, err := parseEvent(line); err == nil && (e.Event == "sample" || e.Event == "matched" && e.Current > 0) {
			t.Errorf("the stranger: %s", line)
		}
	}
}

// TestSecuredOtherTopics: a program of each stack with permissions for other topics can't create what it may not use;
// topics that it may use work.
func TestSecuredOtherTopics(t *testing.T) {
	eachStack(t, func(t *testing.T, s *stack, domain uint32) {
		k, q := newKeystore(t, encrypted), qos{reliable: true, transientLocal: true, depth: 100}
		o := startOurs(t, rtps.Config{DomainID: domain, Security: k.config(k.enclave("ours", "*"), domain)})
		r := o.reader("rt/mine", typeString, q)
		o.reader("rt/theirs", typeString, q)
		p := s.startSecured(t, domain, k.enclave("theirs", "rt/mine"))
		p.send("writer w string rt/mine %s", q.words())
		p.send("write w 3")
		expectNumbers(t, r, stringNumber, 1, 3)
		if _, err := fmt.Fprintf(p.stdin, "writer x string rt/theirs %s\n", q.words()); err != nil {
			t.Fatal(err)
		}
		if e := p.await("answer", func(e event) bool { return e.Event == "error" || e.Event == "done" && e.ID == "x" }); e.Event != "error" {
			t.Errorf("a writer of a topic without permission: %s", e.line)
		}
	})
}
