// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestUserDataValue(t *testing.T) {
	hash := "RIHS01_" + strings.Repeat("ab", 32)
	for _, c := range []struct {
		data, key, want string
		ok              bool
	}{
		{"enclave=/;", "enclave", "/", true},
		{"enclave=/;\x00", "enclave", "/", true}, // Fast DDS
		{"typehash=" + hash + ";", "typehash", hash, true},
		{"clientid= 1.10.fa;typehash=" + hash + ";", "typehash", hash, true}, // Cyclone DDS
		{"clientid= 1.10.fa;typehash=" + hash + ";", "clientid", " 1.10.fa", true},
		{"a=1;a=2;", "a", "2", true},
		{"a=x=y;", "a", "x=y", true},
		{"a=;", "a", "", true},
		{"", "a", "", false},
		{"a=1", "a", "", false}, // not complete
		{"b;a=1;", "a", "", false},
		{"=1;a=1;", "a", "", false},
		{"a=1;\x00a=2;", "a", "1", true},
		{"ab=1;", "a", "", false},
	} {
		if got, ok := UserDataValue([]byte(c.data), c.key); got != c.want || ok != c.ok {
			t.Errorf("%q in %q: %q, %v; want %q, %v", c.key, c.data, got, ok, c.want, c.ok)
		}
	}
	if got := endpointTypeHash(endpointUserData(hash)); got != hash {
		t.Errorf("type hash %q", got)
	}
	for _, data := range []string{"", "typehash=RIHS02_ab;", "typehash=;", "enclave=/;"} {
		if got := endpointTypeHash([]byte(data)); got != "" {
			t.Errorf("type hash of %q: %q", data, got)
		}
	}
}

// An appended value is found, whatever surrounds it.
func TestUserDataProperty(t *testing.T) {
	key, value := rapid.StringMatching(`[a-z]{1,5}`), rapid.StringMatching(`[ -:<-~]{0,10}`)
	rapid.Check(t, func(t *rapid.T) {
		want := map[string]string{}
		var data []byte
		for range rapid.IntRange(0, 5).Draw(t, "pairs") {
			k, v := key.Draw(t, "key"), value.Draw(t, "value")
			data = appendUserData(data, k, v)
			want[k] = v
		}
		for k, v := range want {
			if got, ok := UserDataValue(data, k); !ok || got != v {
				t.Fatalf("%s of %q: %q, %v", k, data, got, ok)
			}
		}
	})
}

func FuzzUserData(f *testing.F) {
	for _, seed := range []string{"enclave=/;", "typehash=RIHS01_00;\x00", "a=b;c=;=;", ";;", "a"} {
		f.Add([]byte(seed), "a")
	}
	f.Fuzz(func(t *testing.T, data []byte, key string) {
		value, ok := UserDataValue(data, key)
		if ok && !bytes.Contains(data, []byte(key+"="+value+";")) {
			t.Fatalf("%q in %q: %q", key, data, value)
		}
	})
}
