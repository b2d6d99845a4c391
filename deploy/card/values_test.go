// SPDX-License-Identifier: Apache-2.0

package card

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Of each value the longest, the shortest and the extreme that are right, and what is just beyond them.
func TestEdgesOfValues(t *testing.T) {
	long := func(n int) string { return strings.Repeat("a", n) }
	rsa := publicKeyOf("ssh-rsa")
	for _, c := range []struct {
		key, value, want string // empty: a mistake
	}{
		{keyName, "7", "7"}, {keyName, long(63), long(63)}, {keyName, long(63) + ".local", long(63)}, {keyName, ".local", ""}, {keyName, "a-", ""},
		{keyName, "A--B", "a--b"}, {keyName, "a_b", ""}, {keyName, "a.b", ""},
		{keyWiFi, long(32), long(32)}, {keyWiFi, long(33), ""}, {keyWiFi, " a  b ", "a  b"}, {keyWiFi, `" a "`, " a "}, {keyWiFi, "a=b", "a=b"},
		{keyWiFiPassword, long(8), long(8)}, {keyWiFiPassword, long(7), ""}, {keyWiFiPassword, long(63), long(63)}, {keyWiFiPassword, long(65), ""},
		{keyWiFiPassword, strings.Repeat("F0", 32), strings.Repeat("f0", 32)}, {keyWiFiPassword, strings.Repeat("g0", 32), ""},
		{keyWiFiPassword, "1234567~", "1234567~"}, {keyWiFiPassword, "1234567\u00a0", ""}, {keyWiFiPassword, "1234567ü", ""},
		{keyCountry, "gb", "GB"}, {keyCountry, "g", ""}, {keyCountry, "ÄB", ""}, {keyCountry, "ß", ""},
		{keyPassword, "ääääääää", "ääääääää"}, {keyPassword, "äääääää", ""}, {keyPassword, long(200), long(200)}, {keyPassword, long(201), ""},
		{keySSHKey, rsa, rsa}, {keySSHKey, rsa + "   a  b", rsa + " a b"}, {keySSHKey, rsa + "\ta", ""}, {keySSHKey, "no-pty " + rsa, ""}, {keySSHKey, rsa[:60], ""},
		{keyDomain, "0", "0"}, {keyDomain, "232", "232"}, {keyDomain, "233", ""}, {keyDomain, "1.0", ""}, {keyDomain, "99999999999999999999", ""},
		{keyNamespace, "a", "/a"}, {keyNamespace, "//a/b_1//", "/a/b_1"}, {keyNamespace, long(199), "/" + long(199)}, {keyNamespace, long(200), ""},
		{keyKeys, "epuck_1", "epuck_1"}, {keyKeys, "off", "off"}, {keyKeys, "../keys", ""}, {keyKeys, "1", ""}, {keyKeys, long(100), long(100)}, {keyKeys, long(101), ""},
		{keyNamespace, "a/1", ""}, {keyNamespace, "a-b", ""},
	} {
		text := c.key + " = " + c.value + "\n"
		if c.key == keyWiFiPassword {
			text = "wifi = x\n" + text
		}
		s, mistakes := Parse([]byte(text))
		got := strings.Join(s.values(c.key), "|")
		if got != c.want || (len(mistakes) == 0) != (c.want != "") || len(mistakes) > 0 && mistakes[0].Key != c.key {
			t.Errorf("%s%q, %v; want %q", text, got, mistakes, c.want)
		}
	}
}

// Keys are found however they are spelled, and no other words are keys.
func TestSpellingOfKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.SampledFrom(keys()).Draw(t, "key")
		var written strings.Builder
		for _, r := range k.name {
			if r == '_' {
				continue
			}
			written.WriteString(rapid.SampledFrom([]string{"", "-", "_", " ", "\u00a0", "–"}).Draw(t, "between"))
			if rapid.Bool().Draw(t, "capital") {
				r -= 'a' - 'A'
			}
			written.WriteRune(r)
		}
		if got, ok := keyOf(written.String()); !ok || got.name != k.name {
			t.Fatalf("%q is %q, not %q", written.String(), got.name, k.name)
		}
		if got, ok := keyOf(written.String() + "s"); ok {
			t.Fatalf("%q is the key %q", written.String()+"s", got.name)
		}
	})
}

// A network's name arrives as the bytes it has, in both systems' files, and no key of an open network is in them.
func TestNamesOfNetworks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Settings{WiFi: rapid.StringN(1, 8, 32).Draw(t, "wifi"), Country: "CH"}
		f, err := s.network(system{})
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(f.Text, "ssid=")
		line, _, _ := strings.Cut(rest, "\n")
		if b, err := hex.DecodeString(line); err != nil || string(b) != s.WiFi || strings.Contains(f.Text, "psk") || !strings.Contains(f.Text, "country=CH\n") {
			t.Fatalf("%q, %v: %s", s.WiFi, err, f.Text)
		}
		if f, err = s.network(system{networkManager: true}); err != nil || f.Mode != 0o600 {
			t.Fatal(f.Mode, err)
		}
		_, rest, _ = strings.Cut(f.Text, "ssid=")
		line, _, _ = strings.Cut(rest, "\n")
		var b []byte
		for _, number := range strings.Split(strings.TrimSuffix(line, ";"), ";") {
			n, err := strconv.ParseUint(number, 10, 8)
			if err != nil {
				t.Fatal(err)
			}
			b = append(b, byte(n))
		}
		if string(b) != s.WiFi {
			t.Fatalf("%q: %q", s.WiFi, b)
		}
	})
}

// The other lines of the driver's environment stay, the block is there once, and goes without a trace.
func TestDriverKeepsTheRest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old := rapid.StringMatching(`([A-Z#]{1,4}=?[a-z ]{0,5}\n){0,4}`).Draw(t, "old")
		domain := rapid.IntRange(0, 232).Draw(t, "domain")
		s, none := Settings{Domain: &domain, Namespace: "/a"}, Settings{}
		text := s.driver(old)
		want := fmt.Sprintf("%sROS_DOMAIN_ID=%d\nEPUCK_ARGS=\"-r __ns:=/a\"\n%s", blockBegin, domain, blockEnd)
		if text != old+want || s.driver(text) != text || none.driver(text) != old {
			t.Fatalf("%q, then %q and %q", text, s.driver(text), none.driver(text))
		}
	})
}

// Numbering changes the name and the namespace and not one other line, is the same done twice, and gives each robot of
// a class a name of the same length.
func TestNumberedKeepsTheRest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		of := rapid.IntRange(1, 999).Draw(t, "of")
		number := rapid.IntRange(1, of).Draw(t, "number")
		rest := rapid.SliceOfN(rapid.StringMatching(`(# [a-z=]{0,9}|wifi = [a-z]{3}|)`), 0, 5).Draw(t, "rest")
		at := rapid.IntRange(0, len(rest)).Draw(t, "at")
		template := append(append(append([]string{}, rest[:at]...), "Name = x", "# between", "namespace=y"), rest[at:]...)
		b, err := Numbered([]byte(strings.Join(template, "\n")+"\n"), number, of)
		if err != nil {
			t.Fatal(err)
		}
		robot := fmt.Sprintf("%d", number)
		robot = "robot" + strings.Repeat("0", len(strconv.Itoa(of))-len(robot)) + robot
		template[at], template[at+2] = "name = "+robot, "namespace = "+robot
		if want := strings.Join(template, "\r\n") + "\r\n"; string(b) != want {
			t.Fatalf("%q, not %q", b, want)
		}
		if again, err := Numbered(b, number, of); err != nil || string(again) != string(b) {
			t.Fatalf("%q, then %q, %v", b, again, err)
		}
	})
}
