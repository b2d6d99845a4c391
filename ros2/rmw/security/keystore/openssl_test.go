// SPDX-License-Identifier: Apache-2.0

//go:build peers

package keystore

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestOpenSSLVerifies: the program with which SROS2 and the middlewares check accepts certificates and signatures.
func TestOpenSSLVerifies(t *testing.T) {
	openssl, err := exec.LookPath("openssl")
	if err != nil {
		t.Fatalf("no openssl (Debian: openssl), which scripts/setup.sh installs: %v", err)
	}
	folder := filepath.Join(t.TempDir(), "keys")
	k, err := Create(folder, 7, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if err := k.CreateEnclave("/robot1", 7); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{
		"verify -CAfile public/identity_ca.cert.pem enclaves/robot1/cert.pem",
		"smime -verify -text -CAfile public/permissions_ca.cert.pem -in enclaves/governance.p7s",
		"smime -verify -text -CAfile public/permissions_ca.cert.pem -in enclaves/robot1/permissions.p7s",
	} {
		cmd := exec.CommandContext(t.Context(), openssl, strings.Fields(args)...)
		cmd.Dir = folder
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("openssl %s: %v\n%s", args, err, out)
		}
	}
}
