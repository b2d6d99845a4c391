// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"bytes"
	"errors"
	"regexp"
	"testing"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// expectErrors checks which errors are wrapped.
func expectErrors(t *testing.T, cases map[string][2]error) {
	t.Helper()
	for what, c := range cases {
		if !errors.Is(c[0], c[1]) {
			t.Errorf("%s: %v, want %v", what, c[0], c[1])
		}
	}
}

// An inserted header is found again, in either byte order, and the fields after it are unchanged.
func TestCycloneHeaderProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		body := rapid.SliceOf(rapid.Byte()).Draw(t, "body")
		h := cycloneHeader{rapid.Uint64().Draw(t, "client"), rapid.Int64().Draw(t, "sequence")}
		payload := append([]byte{0, rapid.SampledFrom([]byte{0, 1}).Draw(t, "order"), 0, 0}, body...)
		id, got, err := identify(&rtps.Sample{Payload: h.insert(payload), Vendor: wire.VendorCyclone})
		if err != nil || !id.hasHeader || id.header != h || !bytes.Equal(got, payload) {
			t.Fatalf("%+v of %x comes back as %+v of %x, %v", h, payload, id, got, err)
		}
	})
}

func TestIdentify(t *testing.T) {
	related := wire.SampleIdentity{SN: 7}
	plain := []byte{0, 1, 0, 0, 9}
	for name, c := range map[string]struct {
		sample rtps.Sample
		header bool
		err    error
	}{
		"Fast DDS":              {rtps.Sample{Payload: plain, Vendor: wire.VendorEProsima, Related: related}, false, nil},
		"ours":                  {rtps.Sample{Payload: plain, Vendor: wire.VendorOwn, Related: related}, false, nil},
		"no identity":           {rtps.Sample{Payload: plain, Vendor: wire.VendorRustDDS}, false, nil},
		"Cyclone, inline":       {rtps.Sample{Payload: plain, Vendor: wire.VendorCyclone, Related: related}, false, nil},
		"Cyclone, header":       {rtps.Sample{Payload: make([]byte, 20), Vendor: wire.VendorCyclone}, true, nil},
		"Cyclone, short header": {rtps.Sample{Payload: make([]byte, 19), Vendor: wire.VendorCyclone}, false, errShortHeader},
		"Cyclone, empty":        {rtps.Sample{Vendor: wire.VendorCyclone}, false, errShortHeader},
	} {
		id, _, err := identify(&c.sample)
		if id.hasHeader != c.header || !errors.Is(err, c.err) || id.related != c.sample.Related {
			t.Errorf("%s: %+v, %v", name, id, err)
		}
	}
}

// Our pair ids have the form of those captured from rmw_cyclonedds.
func TestPairID(t *testing.T) {
	form := regexp.MustCompile(`^[ 1-9a-f][0-9a-f](\.([1-9a-f]?[0-9a-f])){15}$`)
	seen := 0
	for _, c := range captures(t) {
		for _, key := range []string{clientIDKey, serviceIDKey} {
			if id, ok := UserDataValue(c.data.UserData, key); ok {
				seen++
				if !form.MatchString(id) {
					t.Errorf("%s has the id %q", c.data.Topic, id)
				}
			}
		}
	}
	if seen == 0 {
		t.Error("no captured ids")
	}
	for range 200 {
		if id := newPairID(); !form.MatchString(id) {
			t.Errorf("our id %q", id)
		}
	}
}

func FuzzIdentify(f *testing.F) {
	for _, seed := range []string{cycloneRequest, cycloneReply, fastRequest, ""} {
		f.Add(unhex(f, seed), true)
	}
	f.Fuzz(func(t *testing.T, payload []byte, cyclone bool) {
		s := &rtps.Sample{Payload: payload, Vendor: wire.VendorEProsima}
		if cyclone {
			s.Vendor = wire.VendorCyclone
		}
		id, got, err := identify(s)
		if err == nil && id.hasHeader && !bytes.Equal(id.header.insert(got), payload) {
			t.Fatalf("%x: %+v and %x", payload, id, got)
		}
		if err == nil && !id.hasHeader && !bytes.Equal(got, payload) {
			t.Fatalf("%x became %x", payload, got)
		}
	})
}
