// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"bytes"
	"strings"
)

// Keys of USER_DATA (rmw_dds_common, rmw_cyclonedds).
const (
	enclaveKey  = "enclave"
	typeHashKey = "typehash"
)

// typeHashPrefix begins every type hash of REP 2016's first version.
const (
	typeHashPrefix = "RIHS01_"
	typeHashDigits = 64 // lower-case hexadecimal
)

// appendUserData appends "key=value;".
func appendUserData(dst []byte, key, value string) []byte {
	dst = append(dst, key...)
	dst = append(dst, '=')
	dst = append(dst, value...)
	return append(dst, ';')
}

// UserDataValue returns the value of a key in USER_DATA, which holds "key=value;" pairs. The text ends at a NUL, which
// Fast DDS appends, or at an incomplete pair. Of a repeated key the last value applies, as in rmw.
func UserDataValue(data []byte, key string) (value string, ok bool) {
	if i := bytes.IndexByte(data, 0); i >= 0 {
		data = data[:i]
	}
	for len(data) > 0 {
		pair, rest, complete := bytes.Cut(data, []byte{';'})
		k, v, isPair := bytes.Cut(pair, []byte{'='})
		if !complete || !isPair || len(k) == 0 {
			break
		}
		if string(k) == key {
			value, ok = string(v), true
		}
		data = rest
	}
	return value, ok
}

// endpointUserData returns the USER_DATA of an endpoint of a type. Peers from Iron on log a warning for an endpoint
// without a type hash.
func endpointUserData(typeHash string) []byte {
	return appendUserData(nil, typeHashKey, typeHash)
}

// endpointTypeHash returns the type hash in the USER_DATA of an endpoint, empty
// if there is none of the known form.
func endpointTypeHash(data []byte) string {
	hash, _ := UserDataValue(data, typeHashKey)
	digits, ok := strings.CutPrefix(hash, typeHashPrefix)
	if !ok || len(digits) != typeHashDigits || strings.Trim(digits, "0123456789abcdef") != "" {
		return ""
	}
	return hash
}
