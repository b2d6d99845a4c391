// SPDX-License-Identifier: Apache-2.0

package card

import "strings"

// The keys of epuck.txt, in the order of the file that is shipped (deploy/card/epuck.txt).
const (
	keyName         = "name"
	keyWiFi         = "wifi"
	keyWiFiPassword = "wifi_password"
	keyCountry      = "country"
	keyPassword     = "password"
	keySSHKey       = "ssh_key"
	keyDomain       = "ros_domain"
	keyNamespace    = "namespace"
	keyKeys         = "keys"
)

// key is one key with the function that parses its value and the cause of mistakes in it.
type key struct {
	name   string
	set    func(s *Settings, value string) error
	cause  Cause
	repeat bool // may be given several times
}

// keys returns the table of all keys.
func keys() []key {
	return []key{
		{keyName, setName, causeValue, false},
		{keyWiFi, setWiFi, causeWiFi, false},
		{keyWiFiPassword, setWiFiPassword, causeWiFi, false},
		{keyCountry, setCountry, causeWiFi, false},
		{keyPassword, setPassword, causeLogin, false},
		{keySSHKey, addSSHKey, causeLogin, true},
		{keyDomain, setDomain, causeValue, false},
		{keyNamespace, setNamespace, causeValue, false},
		{keyKeys, setKeys, causeValue, false},
	}
}

// keyOf returns the key for a user's spelling: "Wi-Fi password" is wifi_password.
func keyOf(written string) (key, bool) {
	plain := plainKey(written)
	for _, k := range keys() {
		if plainKey(k.name) == plain {
			return k, true
		}
	}
	return key{}, false
}

// plainKey removes case, spaces and hyphens, which users write differently.
func plainKey(s string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		switch r {
		case '-', '_', ' ', '\t', '\u00a0', '\u2010', '\u2011', '\u2013':
			return -1
		}
		return r
	}, s))
}
