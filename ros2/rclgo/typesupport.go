// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

import (
	"fmt"
	"strings"
	"sync"
)

// typeCache holds the loaded type supports; each keeps a library loaded.
type typeCache struct {
	mu       sync.Mutex
	messages map[string]*messageSupport
	services map[string]*serviceSupport
}

// message returns the type support of "pkg/msg/Name", or of a message of an action, "pkg/action/Name_FeedbackMessage".
func (c *typeCache) message(rosType string) (*messageSupport, error) {
	of, err := parseInterfaceName(rosType, "msg")
	if err != nil {
		return nil, err
	}
	return load(&c.mu, &c.messages, rosType, func() (*messageSupport, error) { return loadMessageSupport(of) })
}

// service returns the type support of "pkg/srv/Name", or of a service of an action, "pkg/action/Name_SendGoal".
func (c *typeCache) service(rosType string) (*serviceSupport, error) {
	of, err := parseInterfaceName(rosType, "srv")
	if err != nil {
		return nil, err
	}
	return load(&c.mu, &c.services, rosType, func() (*serviceSupport, error) { return loadServiceSupport(of) })
}

func load[T any](mu *sync.Mutex, cache *map[string]T, rosType string, load func() (T, error)) (T, error) {
	mu.Lock()
	defer mu.Unlock()
	if support, known := (*cache)[rosType]; known {
		return support, nil
	}
	var support T
	err := call("loading its type support", func() (err error) {
		support, err = load()
		return err
	})
	if err != nil {
		pkg, _, _ := strings.Cut(rosType, "/")
		return support, fmt.Errorf("%w: %s (package ros-$ROS_DISTRO-%s): %w", ErrType, rosType, strings.ReplaceAll(pkg, "_", "-"), err)
	}
	if *cache == nil {
		*cache = make(map[string]T)
	}
	(*cache)[rosType] = support
	return support, nil
}

// interfaceName is the name of a type, in parts; kind is msg, srv or action.
type interfaceName struct{ pkg, kind, name string }

// parseInterfaceName parses "pkg/kind/Name". The messages and services of an action have the kind action.
func parseInterfaceName(rosType, kind string) (interfaceName, error) {
	parts := strings.Split(rosType, "/")
	if len(parts) != 3 || parts[0] == "" || parts[1] != kind && parts[1] != "action" || parts[2] == "" {
		return interfaceName{}, fmt.Errorf("%w: type %q is neither package/%s/Name nor package/action/Name", ErrConfig, rosType, kind)
	}
	return interfaceName{pkg: parts[0], kind: parts[1], name: parts[2]}, nil
}

// with returns the name with a suffix.
func (n interfaceName) with(suffix string) interfaceName {
	n.name += suffix
	return n
}

// symbol returns the C symbol of the name.
func (n interfaceName) symbol() string { return n.pkg + "__" + n.kind + "__" + n.name }
