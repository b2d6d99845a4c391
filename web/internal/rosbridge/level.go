// SPDX-License-Identifier: Apache-2.0

package rosbridge

import (
	"errors"
	"sync/atomic"
)

// Levels of status messages; a client receives those up to its level, errors by default.
const (
	levelNone int32 = iota
	levelError
	levelWarning
	levelInfo
)

// errWarning marks errors of a request that has an effect, or needs none: they are reported as warnings.
var errWarning = errors.New("rosbridge")

// reports is the level of a client, less levelError: its zero value is the default of the protocol.
type reports struct{ less atomic.Int32 }

func (r *reports) level() int32 { return r.less.Load() + levelError }

// levelNames are the words of the protocol.
func levelNames() []string { return []string{"none", "error", "warning", "info"} }

// setLevel sets the level of status messages. As the protocol demands, an unknown one changes nothing.
func (c *client) setLevel(r *request) error {
	for level, name := range levelNames() {
		if name == r.Level {
			c.reports.less.Store(int32(level) - levelError)
		}
	}
	return nil
}

// report sends a status message, if the client wants those of the level.
func (c *client) report(level int32, id *identifier, text string) error {
	if level > c.reports.level() {
		return nil
	}
	return c.say(id.add(map[string]any{"op": "status", "level": levelNames()[level], "msg": text}))
}

// succeeded reports an operation that had an effect at once, at the level info.
func (c *client) succeeded(r *request) error {
	if c.reports.level() < levelInfo {
		return nil
	}
	switch r.Op {
	case "advertise", "unadvertise", "publish", "subscribe", "unsubscribe":
		return c.report(levelInfo, &r.ID, r.Op+" "+fullName(r.Topic))
	case "advertise_service", "unadvertise_service", "service_response":
		return c.report(levelInfo, &r.ID, r.Op+" "+fullName(r.Service))
	case "advertise_action", "unadvertise_action", "cancel_action_goal":
		return c.report(levelInfo, &r.ID, r.Op+" "+fullName(r.Action))
	}
	return nil
}
