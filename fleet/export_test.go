// SPDX-License-Identifier: Apache-2.0

package fleet

// Names for the package's external tests.
const (
	HeardColumns        = heardColumns
	ParamRealTimeFactor = paramRealTimeFactor
	ServiceBounds       = serviceBounds
	ServiceDelete       = serviceDelete
	ServiceFeatures     = serviceFeatures
	ServiceInfo         = serviceInfo
	ServiceList         = serviceList
	ServiceLoad         = serviceLoad
	ServicePoseBounds   = servicePoseBounds
	ServicePoses        = servicePoses
	ServicePut          = servicePut
	ServiceReset        = serviceReset
	ServiceSetInfo      = serviceSetInfo
	ServiceSetState     = serviceSetState
	ServiceSpawn        = serviceSpawn
	ServiceSpawnMany    = serviceSpawnMany
	ServiceSpawnables   = serviceSpawnables
	ServiceState        = serviceState
	ServiceStates       = serviceStates
	ServiceStep         = serviceStep
	ServiceUnload       = serviceUnload
	ServiceWhere        = serviceWhere
	ServiceWorld        = serviceWorld
	ServiceWorlds       = serviceWorlds
	TopicHeard          = topicHeard
	TopicSay            = topicSay
)

var (
	ErrName = errName
)
