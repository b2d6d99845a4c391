// SPDX-License-Identifier: Apache-2.0

package card

import "strings"

// The keys of epuck.txt, in the order of the file that is shipped (deploy/card/epuck.txt).
const (
	KeyName         = "name"
	KeyWiFi         = "wifi"
	KeyWiFiPassword = "wifi_password"
	KeyCountry      = "country"
	KeyPassword     = "password"
	KeySSHKey       = "ssh_key"
	KeyDomain       = "ros_domain"
	KeyNamespace    = "namespace"
)

// key is one key: what reads its value, and the cause that a mistake in it is.
type key struct {
	name   string
	set    func(s *Settings, value string) error
	cause  Cause
	repeat bool // may stand several times
}

// keys returns the table of all keys.
func keys() []key {
	return []key{
		{KeyName, setName, CauseValue, false},
		{KeyWiFi, setWiFi, CauseWiFi, false},
		{KeyWiFiPassword, setWiFiPassword, CauseWiFi, false},
		{KeyCountry, setCountry, CauseWiFi, false},
		{KeyPassword, setPassword, CauseLogin, false},
		{KeySSHKey, addSSHKey, CauseLogin, true},
		{KeyDomain, setDomain, CauseValue, false},
		{KeyNamespace, setNamespace, CauseValue, false},
	}
}

// keyOf finds the key that a user wrote: "Wi-Fi password" is wifi_password.
func keyOf(written string) (key, bool) {
	plain := plainKey(written)
	for _, k := range keys() {
		if plainKey(k.name) == plain {
			return k, true
		}
	}
	return key{}, false
}

// plainKey leaves out what people write differently in the same word.
func plainKey(s string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		switch r {
		case '-', '_', ' ', '\t', '\u00a0', '\u2010', '\u2011', '\u2013':
			return -1
		}
		return r
	}, s))
}
