// SPDX-License-Identifier: Apache-2.0

package security

import "github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"

// attribute is one attribute and whether it is set.
type attribute struct {
	bit wire.SecurityAttributes
	set bool
}

// attributes returns the set of those that are set.
func attributes(list ...attribute) wire.SecurityAttributes {
	a := wire.SecurityValid
	for _, e := range list {
		if e.set {
			a |= e.bit
		}
	}
	return a
}

// Info returns what a participant announces of the rules of its domain (DDS Security 1.1, 9.4.2.3, 9.4.2.4).
func (r DomainRules) Info() wire.SecurityInfo {
	return wire.SecurityInfo{
		Attributes: attributes(
			attribute{wire.ParticipantRTPSProtected, r.RTPS.Protected()},
			attribute{wire.ParticipantDiscoveryProtected, r.Discovery.Protected()},
			attribute{wire.ParticipantLivelinessProtected, r.Liveliness.Protected()}),
		Plugin: attributes(
			attribute{wire.ParticipantRTPSEncrypted, r.RTPS.Encrypted()},
			attribute{wire.ParticipantDiscoveryEncrypted, r.Discovery.Encrypted()},
			attribute{wire.ParticipantLivelinessEncrypted, r.Liveliness.Encrypted()},
			attribute{wire.ParticipantRTPSOrigin, r.RTPS.Origin()},
			attribute{wire.ParticipantDiscoveryOrigin, r.Discovery.Origin()},
			attribute{wire.ParticipantLivelinessOrigin, r.Liveliness.Origin()}),
	}
}

// Info returns what an endpoint announces of the rules of its topic (9.4.2.5, 9.4.2.6).
func (r TopicRules) Info() wire.SecurityInfo {
	return wire.SecurityInfo{
		Attributes: attributes(
			attribute{wire.EndpointReadProtected, r.ReadControl},
			attribute{wire.EndpointWriteProtected, r.WriteControl},
			attribute{wire.EndpointDiscoveryProtected, r.Discovery},
			attribute{wire.EndpointSubmessageProtected, r.Metadata.Protected()},
			attribute{wire.EndpointPayloadProtected, r.Data.Protected()},
			attribute{wire.EndpointKeyProtected, r.Data.Encrypted()},
			attribute{wire.EndpointLivelinessProtected, r.Liveliness}),
		Plugin: attributes(
			attribute{wire.EndpointSubmessageEncrypted, r.Metadata.Encrypted()},
			attribute{wire.EndpointPayloadEncrypted, r.Data.Encrypted()},
			attribute{wire.EndpointSubmessageOrigin, r.Metadata.Origin()}),
	}
}
