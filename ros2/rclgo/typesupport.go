// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

import (
	"fmt"
	"strings"
	"sync"

	"github.com/tiiuae/rclgo/pkg/rclgo/types"
)

// typeCache holds the type supports that were loaded: each pins a library.
type typeCache struct {
	mu       sync.Mutex
	messages map[string]types.MessageTypeSupport
	services map[string]*serviceSupport
}

// message returns the type support of "pkg/msg/Name".
func (c *typeCache) message(rosType string) (types.MessageTypeSupport, error) {
	pkg, name, err := split(rosType, "msg")
	if err != nil {
		return nil, err
	}
	return load(&c.mu, &c.messages, rosType, func() (types.MessageTypeSupport, error) {
		return loadMessageSupport(pkg, name)
	})
}

// service returns the type support of "pkg/srv/Name".
func (c *typeCache) service(rosType string) (*serviceSupport, error) {
	pkg, name, err := split(rosType, "srv")
	if err != nil {
		return nil, err
	}
	return load(&c.mu, &c.services, rosType, func() (*serviceSupport, error) {
		return loadServiceSupport(pkg, name)
	})
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

// split takes "pkg/kind/Name" apart.
func split(rosType, kind string) (pkg, name string, err error) {
	parts := strings.Split(rosType, "/")
	if len(parts) != 3 || parts[0] == "" || parts[1] != kind || parts[2] == "" {
		return "", "", fmt.Errorf("%w: type %q is not of the form package/%s/Name", ErrConfig, rosType, kind)
	}
	return parts[0], parts[2], nil
}
