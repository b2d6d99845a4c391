// SPDX-License-Identifier: Apache-2.0

package card

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

// Grammar of every line that settings may make, by file: whatever epuck.txt says, no other line appears.
var lineGrammar = map[string]*regexp.Regexp{
	"etc/hostname": regexp.MustCompile(`^[a-z0-9-]{1,63}$`),
	"etc/hosts":    regexp.MustCompile(`^(127\.0\.0\.1 localhost|127\.0\.1\.1 [a-z0-9-]{1,63}|::1 localhost ip6-localhost ip6-loopback)$`),
	supplicantFile: regexp.MustCompile(`^(ctrl_interface=/run/wpa_supplicant|country=[A-Z]{2}|network=\{|\tssid=([0-9a-f]{2}){1,32}|\tscan_ssid=1|` +
		`\tkey_mgmt=(NONE|WPA-PSK)|\tpsk=[0-9a-f]{64}|\})$`),
	managerFile: regexp.MustCompile(`^(|\[(connection|wifi|wifi-security|ipv4)\]|id=epuck|type=wifi|interface-name=wlan0|mode=infrastructure|` +
		`ssid=([0-9]{1,3};){1,32}|key-mgmt=wpa-psk|psk=[0-9a-f]{64}|method=auto)$`),
	"etc/modprobe.d/epuck-country.conf": regexp.MustCompile(`^options cfg80211 ieee80211_regdom=[A-Z]{2}$`),
	"etc/ssh/authorized_keys/" + user:   regexp.MustCompile(`^(ssh-(ed25519|rsa)|ecdsa-sha2-nistp(256|384|521)|sk-[a-z0-9-]+@openssh\.com) [A-Za-z0-9+/=]+( [^\x00-\x1f]*)?$`),
	"etc/default/epuck-driver": regexp.MustCompile(`^(#[ -~]*|ROS_DOMAIN_ID=[0-9]{1,3}|ROS_SECURITY_(ENABLE=true|STRATEGY=Enforce|` +
		`KEYSTORE=/etc/epuck-driver/keys|ENCLAVE_OVERRIDE=/[A-Za-z_][A-Za-z0-9_]*)|EPUCK_ARGS="-r __ns:=(/[A-Za-z0-9_]+)+")$`),
	stateFile: regexp.MustCompile(`^[0-9a-f]{64}$`),
}

// inMemory makes folders for tests in memory where there is such a file system: each file that is applied is synced.
func inMemory(t *testing.T) {
	t.Helper()
	if _, err := os.Stat("/dev/shm"); err == nil {
		t.Setenv("TMPDIR", "/dev/shm")
	}
}

// program is one that was run, with its standard input.
type program struct {
	input string
	args  []string
}

// attackCard applies an epuck.txt on a card with either network manager and checks that every line and every program
// is one that settings may make.
func attackCard(t testing.TB, text []byte, manager bool) {
	t.Helper()
	root, boot := t.TempDir(), t.TempDir()
	if manager {
		must(t, os.MkdirAll(filepath.Join(root, "etc/NetworkManager/system-connections"), 0o755))
	}
	must(t, os.WriteFile(filepath.Join(boot, "epuck.txt"), text, 0o644))
	var ran []program
	m := Machine{Root: root, Boot: boot, Writable: func(f func() error) error { return f() }}
	m.Run = func(_ context.Context, input, name string, args ...string) error {
		ran = append(ran, program{input, append([]string{name}, args...)})
		return nil
	}
	if _, err := m.Apply(context.Background()); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	for _, p := range ran {
		switch {
		case len(p.args) == 2 && p.args[0] == "hostname" && lineGrammar["etc/hostname"].MatchString(p.args[1]) && p.args[1][0] != '-' && p.input == "":
		case len(p.args) == 1 && p.args[0] == "chpasswd" && strings.HasPrefix(p.input, user+":") && strings.Count(p.input, "\n") == 1 &&
			strings.HasSuffix(p.input, "\n") && !strings.ContainsFunc(strings.TrimSuffix(p.input, "\n"), unicode.IsControl):
		default:
			t.Errorf("%q runs %q with the input %q", text, p.args, p.input)
		}
	}
	must(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, _ := filepath.Rel(root, path)
		grammar, known := lineGrammar[name]
		data, err := os.ReadFile(path)
		if !known || !bytes.HasSuffix(data, []byte("\n")) {
			t.Errorf("%q writes %s: %q", text, name, data)
			return err
		}
		for line := range strings.SplitSeq(strings.TrimSuffix(string(data), "\n"), "\n") {
			if !grammar.MatchString(line) {
				t.Errorf("%q writes the line %q into %s", text, line, name)
			}
		}
		return err
	}))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// hostileValues would end a value early in one of the files, or be run by a shell.
func hostileValues() []string {
	return []string{
		`$(touch /tmp/owned)`, "`touch /tmp/owned`", `; touch /tmp/owned #`, `| sh`, `&& reboot`, `> /etc/passwd`, `-rf`, `--help`, `../../etc/shadow`,
		`a"` + "\n}\nnetwork={\n\tssid=\"evil\"", "a\rpsk=b", "a\x00b", "a\x1b]0;x\x07", "a\u2028network={", "a\u2029}", "a\u0085}", "a\v}", "a\f}",
		`"`, `'`, `a"b`, `a'b`, `"}"`, `\n}`, `${HOME}`, `%n%s`, `\`, "a\\", `pi:root`, "root:x\nroot:y", strings.Repeat("A", 1<<12), strings.Repeat("é", 300),
		"ssh-ed25519 AAAA command=\"sh\"", `command="sh" ` + publicKeyOf("ssh-rsa"), publicKeyOf("ssh-rsa") + " $(sh) `sh` \"", "\ufeff", "\u202e evil", "\xff\xfe",
	}
}

// TestHostileValuesStayValues: whatever a value holds, quotes, ends of lines, substitutions of a shell, zero bytes or
// kilobytes, no file gets a line that its grammar does not have, and no shell is run.
func TestHostileValuesStayValues(t *testing.T) {
	inMemory(t)
	for i, value := range hostileValues() {
		var all strings.Builder
		for _, k := range keys() {
			fmt.Fprintf(&all, "%s = %s\n", k.name, value)
		}
		attackCard(t, []byte(all.String()), i%2 == 0)
		attackCard(t, fmt.Appendf(nil, "wifi = \"%s\"\nwifi_password = \"%s\"\npassword = \"%s\"\n", value, value, value), i%2 == 1)
		attackCard(t, fmt.Appendf(nil, "wifi = %s\nwifi_password = $(reboot)`sh`\ncountry = CH\n", value), i%2 == 0)
	}
	huge := bytes.Repeat([]byte("wifi = $(sh)\n"), maxFile/4)
	attackCard(t, huge, false)
}

func TestAnyFileMakesKnownLinesOnly(t *testing.T) {
	inMemory(t)
	rapid.Check(t, func(rt *rapid.T) {
		var text strings.Builder
		for range rapid.IntRange(1, 8).Draw(rt, "lines") {
			value := rapid.OneOf(rapid.SampledFrom(hostileValues()), rapid.String(), rapid.StringMatching(`[ -~]{8,63}`)).Draw(rt, "value")
			fmt.Fprintf(&text, "%s = %s\n", rapid.SampledFrom(keys()).Draw(rt, "key").name, value)
		}
		attackCard(t, []byte(text.String()), rapid.Bool().Draw(rt, "manager"))
	})
}
