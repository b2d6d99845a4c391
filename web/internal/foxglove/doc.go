// SPDX-License-Identifier: Apache-2.0

// Package foxglove implements the Foxglove WebSocket protocol for a hub: Foxglove and Lichtblick connect as they do
// to foxglove_bridge. The page of package web uses the same protocol with additional messages, see [PageProtocol].
//
// Source: the protocol's specification (foxglove/ws-protocol, docs/spec.md) and foxglove/foxglove-sdk.
package foxglove

import "errors"

// Sub-protocols of the WebSocket, the preferred one first. On the wire the first two are the same.
const (
	Protocol    = "foxglove.sdk.v1"
	OldProtocol = "foxglove.websocket.v1"
	// PageProtocol has additional messages. From the page: takeControl{robot, force}, releaseControl{robot},
	// drive{robot, v, w, t} (m/s, rad/s, ms of the page's clock), acknowledge{subscriptionId}, offer{id, sdp} for
	// live video, describe{id, type} for the definition of a type; subscriptions may have period (ms) and acknowledge. To
	// the page: control{robots: [{robot, driver, you}]}, live{id, sdp or error}, description{id, schema or error}, and
	// types in connectionGraphUpdate.
	PageProtocol = "epuck.v1"
)

// Protocols lists the sub-protocols that [Server.Serve] speaks.
func Protocols() []string { return []string{PageProtocol, Protocol, OldProtocol} }

// Capabilities that serverInfo announces.
const (
	capClientPublish = "clientPublish"
	capParameters    = "parameters"
	capSubscribe     = "parametersSubscribe"
	capTime          = "time"
	capServices      = "services"
	capGraph         = "connectionGraph"
	capAssets        = "assets"
	capPlayback      = "playbackControl"
)

// Opcodes of binary messages from the server.
const (
	opMessage         = 1
	opTime            = 2
	opServiceResponse = 3
	opAsset           = 4
	opPlaybackState   = 5
)

// Opcodes of binary messages from the client.
const (
	opClientMessage  = 1
	opServiceRequest = 2
	opPlayback       = 3
)

// Levels of status messages.
const (
	statusInfo    = 0
	statusWarning = 1
	statusError   = 2
)

// Encodings of messages.
const (
	encodingCDR  = "cdr"
	encodingJSON = "json"
	schemaKind   = "ros2msg"
)

var (
	// ErrMessage is matched when a client's message violates the protocol.
	ErrMessage = errors.New("foxglove: bad message")
	// ErrRights is matched when a client without the right to drive requests a change.
	ErrRights = errors.New("foxglove: this token is read-only")
	// ErrLate is matched when a drive command was delayed on its way and is not executed.
	ErrLate = errors.New("foxglove: the command came too late")
)
