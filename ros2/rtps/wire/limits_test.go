// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// decodeParticipantWith decodes an announcement with one thing changed.
func decodeParticipantWith(change func(*ParticipantData)) (ParticipantData, error) {
	p := participantValue
	change(&p)
	return DecodeParticipant(p.AppendPayload(nil))
}

// decodeEndpointWith decodes the announcement of a writer with one thing changed.
func decodeEndpointWith(change func(*EndpointData)) (EndpointData, error) {
	e := endpointValue()
	change(&e)
	return DecodePublication(e.AppendPayload(nil))
}

// TestLimits: values at each limit are accepted, values above it are not.
func TestLimits(t *testing.T) {
	for _, tc := range []struct {
		name   string
		most   int
		decode func(n int) error
	}{
		{"bytes of a participant's user data", 4096, func(n int) error {
			_, err := decodeParticipantWith(func(p *ParticipantData) { p.UserData = make([]byte, n) })
			return err
		}},
		{"bytes of an endpoint's user data", 4096, func(n int) error {
			_, err := decodeEndpointWith(func(e *EndpointData) { e.UserData = make([]byte, n) })
			return err
		}},
		{"bytes of a string", 1024, func(n int) error {
			_, err := decodeEndpointWith(func(e *EndpointData) { e.Topic = strings.Repeat("a", n) })
			return err
		}},
		{"partitions", 16, func(n int) error {
			_, err := decodeEndpointWith(func(e *EndpointData) { e.QoS.Partition = strings.Split(strings.Repeat("p", n), "") })
			return err
		}},
		{"data representations", 8, func(n int) error {
			_, err := decodeEndpointWith(func(e *EndpointData) { e.QoS.Representation = make([]DataRepresentation, n) })
			return err
		}},
		{"parameters", 512, func(n int) error {
			_, err := ParseParameterList(append(bytes.Repeat([]byte{5, 0x80, 0, 0}, n), 1, 0, 0, 0), false)
			return err
		}},
		{"words of 4 bytes of parameters", 16384, func(n int) error {
			list := append([]byte{5, 0x80, 0, 0x80}, make([]byte, 0x8000)...)
			rest := 4*n - len(list) - 4
			list = append(list, 5, 0x80, byte(rest), byte(rest>>8))
			_, err := ParseParameterList(append(append(list, make([]byte, rest)...), 1, 0, 0, 0), false)
			return err
		}},
		{"bytes of a liveliness message", 128, func(n int) error {
			m := ParticipantMessageData{Data: make([]byte, n)}
			_, err := DecodeParticipantMessage(m.AppendPayload(nil))
			return err
		}},
	} {
		if err := tc.decode(tc.most); err != nil {
			t.Errorf("%d %s: %v", tc.most, tc.name, err)
		}
		if err := tc.decode(tc.most + 1); !errors.Is(err, errLimit) {
			t.Errorf("%d %s: %v", tc.most+1, tc.name, err)
		}
	}
}

// TestKeptOfMany: elements above the limit of a list are ignored.
func TestKeptOfMany(t *testing.T) {
	var locators []Locator
	var properties []Property
	for i := range 100 {
		locators = append(locators, testLocator(fmt.Sprintf("192.0.2.%d:7410", i+1)))
		properties = append(properties, Property{"name", "value"})
	}
	p, err := decodeParticipantWith(func(p *ParticipantData) {
		p.MetatrafficUnicast, p.DefaultUnicast, p.MetatrafficMulticast, p.DefaultMulticast = locators, locators, locators, locators
		p.Properties = properties
	})
	if err != nil {
		t.Fatal(err)
	}
	e, err := decodeEndpointWith(func(e *EndpointData) { e.Unicast, e.Multicast = locators, locators })
	if err != nil {
		t.Fatal(err)
	}
	for i, kept := range [][]Locator{p.MetatrafficUnicast, p.DefaultUnicast, p.MetatrafficMulticast, p.DefaultMulticast, e.Unicast, e.Multicast} {
		if len(kept) != 8 {
			t.Errorf("list %d: %d locators kept", i, len(kept))
		}
	}
	if len(p.Properties) != 16 {
		t.Errorf("%d properties kept", len(p.Properties))
	}
}
