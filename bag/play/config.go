// SPDX-License-Identifier: Apache-2.0

package play

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"regexp"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/internal/suggest"
	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// Errors of playing.
var (
	// errConfig: a field of [Config], or a rate, is missing or out of range.
	errConfig = errors.New("play: invalid configuration")
	// ErrEmpty: the bag has no messages of the selection, or [Player.PlayNext] was called after the last one.
	ErrEmpty = errors.New("play: no messages to play")
	// errPlace: the time is outside of the bag.
	errPlace = errors.New("play: outside of the bag")
	// ErrNotPaused: the operation requires a paused player.
	ErrNotPaused = errors.New("play: not paused")
	// ErrNotInBag: a topic or service that [Selection] or [Config.ClockTopics] names is not in the bag. The others were
	// played.
	ErrNotInBag = errors.New("play: not in the bag")
	// ErrDamaged: parts of the bag cannot be read. The others were played.
	ErrDamaged = errors.New("play: parts of the bag cannot be read")
	// ErrEnded: the player has ended.
	ErrEnded = errors.New("play: ended")
)

// Config is the configuration of a [Player].
type Config struct {
	// Node publishes; its arguments remap the topics. Node and Bag are required; the player closes neither.
	Node *ros2.Node
	Bag  *bag.Bag
	// Select selects topics. The zero value selects all.
	Select Selection
	// Rate is the playing rate; it defaults to 1.
	Rate float64
	// Loop starts again at the end; a part without messages is not repeated. Delay is the time before each start.
	Loop  bool
	Delay time.Duration
	// Stay waits at the end for a seek instead of ending. It has no effect with Loop.
	Stay bool
	// Offset is the start, from the first message of the bag. Duration is the length to play; 0 plays all. Until is the
	// log time at which to stop; the zero time is the end.
	Offset, Duration time.Duration
	Until            time.Time
	// Paused starts paused.
	Paused bool
	// QoS overrides the offered quality of service of topics, by their names in the bag.
	QoS map[string]ros2.QoS
	// Clock is the rate of /clock, Hz; 0 disables it. ClockBefore, if not nil, makes the player publish it before every
	// message of the topics for which it returns true.
	Clock       float64
	ClockBefore func(topic string) bool
	// ClockTopics are topics before whose messages /clock is published, too; their names are expanded like the
	// selection's.
	ClockTopics []string
	// Types has types that definitions in the bag refer to and do not contain. It defaults to those of package msgs.
	Types dynamic.Lookup
	// Direct, if it is not nil, returns an output for the messages of a topic that can't be shown by its ROS type: one
	// that is not encoded as CDR, whose name ROS does not allow, or whose definition cannot be read. Such a topic is
	// played there, in addition to the network if that takes it. Without Direct it is skipped, or published on the
	// network alone, with a warning.
	Direct func(*bag.Topic) Output
	// Time is the clock for playing. It defaults to the node's clock.
	Time ros2.Clock
	// Logger defaults to the node's.
	Logger *slog.Logger
}

// Output takes the messages of a topic.
type Output interface {
	// Write takes a message as it was recorded. It does not keep the slice.
	Write(payload []byte) error
	// Close ends the output.
	Close() error
}

// Selection selects topics of a bag, with the meanings of rosbag2's options.
type Selection struct {
	// Topics, Services and Regex include; if all are empty, everything is included. Names are those of the bag,
	// expanded as for the player's node ([ros2.ExpandNames]): "odom" is "/odom".
	Topics, Services []string
	Regex            string
	// The others exclude.
	ExcludeTopics, ExcludeServices []string
	ExcludeRegex                   string

	regex, exclude *regexp.Regexp
}

func (s *Selection) compile() (err error) {
	if s.Regex != "" {
		if s.regex, err = regexp.Compile(s.Regex); err != nil {
			return fmt.Errorf("%w: %w", errConfig, err)
		}
	}
	if s.ExcludeRegex != "" {
		if s.exclude, err = regexp.Compile(s.ExcludeRegex); err != nil {
			return fmt.Errorf("%w: %w", errConfig, err)
		}
	}
	return nil
}

// holds reports whether a topic is selected.
func (s *Selection) holds(t *bag.Topic) bool {
	name, chosen, excluded := t.Name, s.Topics, s.ExcludeTopics
	if service, _, ok := bag.ServiceOf(t.Name, t.Type); ok {
		name, chosen, excluded = service, s.Services, s.ExcludeServices
	}
	all := len(s.Topics)+len(s.Services) == 0 && s.regex == nil
	return (all || slices.Contains(chosen, name) || s.regex != nil && s.regex.MatchString(name)) &&
		!slices.Contains(excluded, name) && !(s.exclude != nil && s.exclude.MatchString(name))
}

func (c *Config) complete() error {
	switch {
	case c.Node == nil || c.Bag == nil:
		return fmt.Errorf("%w: Node and Bag are required", errConfig)
	case c.Rate < 0 || math.IsNaN(c.Rate) || math.IsInf(c.Rate, 0):
		return fmt.Errorf("%w: Rate %g is not above 0", errConfig, c.Rate)
	case c.Clock < 0 || c.Clock > 1e6 || math.IsNaN(c.Clock):
		return fmt.Errorf("%w: Clock %g Hz is not between 0 and a million", errConfig, c.Clock)
	case c.Offset < 0 || c.Duration < 0 || c.Delay < 0:
		return fmt.Errorf("%w: a negative time (Offset %v, Duration %v, Delay %v)", errConfig, c.Offset, c.Duration, c.Delay)
	}
	if c.Rate == 0 {
		c.Rate = 1
	}
	if c.Time == nil {
		c.Time = c.Node.Clock()
	}
	if c.Logger == nil {
		c.Logger = c.Node.Logger()
	}
	if err := c.expandNames(); err != nil {
		return err
	}
	if c.Types == nil {
		c.Types = msgs.Definition
	}
	return c.Select.compile()
}

// expandNames makes full names of those of the selection and of the quality of service.
func (c *Config) expandNames() (err error) {
	s, node := &c.Select, c.Node.Name()
	for what, names := range map[string]*[]string{
		"topic to play": &s.Topics, "service to play": &s.Services, "topic to leave out": &s.ExcludeTopics, "service to leave out": &s.ExcludeServices,
		"topic with /clock": &c.ClockTopics,
	} {
		if *names, err = ros2.ExpandNames(*names, node); err != nil {
			return fmt.Errorf("%w: %s: %w", errConfig, what, err)
		}
	}
	qos := make(map[string]ros2.QoS, len(c.QoS))
	for name, q := range c.QoS {
		full, err := ros2.ExpandName(name, node)
		if err != nil {
			return fmt.Errorf("%w: quality of service: %w", errConfig, err)
		}
		qos[full] = q
	}
	c.QoS = qos
	return nil
}

// warnOfMissing warns of topics and services that were named and are not in the bag, and returns them.
func (c *Config) warnOfMissing() (missing []string) {
	var topics, services []string
	for _, t := range c.Bag.Topics() {
		topics = append(topics, t.Name)
		if service, _, ok := bag.ServiceOf(t.Name, t.Type); ok {
			services = append(services, service)
		}
	}
	for _, list := range []struct {
		what         string
		named, known []string
	}{{"topic", slices.Concat(c.Select.Topics, c.ClockTopics), topics}, {"service", c.Select.Services, services}} {
		for _, name := range list.named {
			if !slices.Contains(list.known, name) {
				c.Logger.Warn("a "+list.what+" that was named is not in the bag"+suggest.DidYouMean(name, list.known), list.what, name)
				missing = append(missing, name)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.QoS)) {
		if !slices.Contains(topics, name) {
			c.Logger.Warn("quality of service is given for a topic that is not in the bag"+suggest.DidYouMean(name, topics), "topic", name)
		}
	}
	return missing
}
