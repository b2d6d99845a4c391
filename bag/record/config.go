// SPDX-License-Identifier: Apache-2.0

package record

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/epuck-ros2/epuck-driver/bag/mcap"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// Errors of recording.
var (
	// errConfig: a field of [Config] is missing or invalid.
	errConfig = errors.New("record: invalid configuration")
	// ErrRecording and ErrNotRecording: the recorder is in the wrong state for the request.
	ErrRecording    = errors.New("record: already recording")
	ErrNotRecording = errors.New("record: not recording")
	// errExists: the folder of the new bag exists already.
	errExists = errors.New("record: the bag exists already")
	// errDiskFull: there is no space on the disk.
	errDiskFull = errors.New("record: the disk is full")
	// errLost: messages of a bag were not written. The bag is complete otherwise.
	errLost = errors.New("record: messages were not written")
	// ErrNotPublished: nothing published a topic that [Selection.Topics] or [Selection.Services] names.
	ErrNotPublished = errors.New("record: a topic that was named was never published")
	// ErrNoMessages: a recording ended without one message.
	ErrNoMessages = errors.New("record: no message was recorded")
	// ErrClosed: the recorder has ended.
	ErrClosed = errors.New("record: closed")
)

// Config is the configuration of a [Recorder].
type Config struct {
	// Node subscribes to the topics. It is required; the recorder does not close it.
	Node *ros2.Node
	// Types returns the definitions of the known types. Others are requested from the nodes (~/get_type_description).
	Types dynamic.Lookup
	// Variants return the definitions that the same types have in other ROS 2 distributions. They are used for
	// publishers that announce the hash of such a definition.
	Variants []dynamic.Lookup
	// Select selects the topics.
	Select Selection
	// QoS overrides the requested quality of service of a topic; the node resolves its name.
	QoS map[string]ros2.QoS
	// NoDiscovery ignores topics that appear after the start.
	NoDiscovery bool
	// Clock provides the log times instead of the times of arrival, for simulated time. Nothing is recorded while it
	// returns the zero time. It defaults to the time of arrival.
	Clock ros2.Clock
	// Compression of the chunks. It defaults to none: the robot's processor time is scarcer than its disk space.
	Compression mcap.Compression
	// ChunkTime is the maximum time until a message is written and synced. It defaults to 0.5 s.
	ChunkTime time.Duration
	// ChunkSize is the maximum size of a chunk in bytes, unless one message is larger. It defaults to 768 KiB.
	ChunkSize int
	// Cache is the maximum number of bytes that wait for the disk, or are kept for PreRoll. It defaults to 16 MiB.
	Cache int
	// PreRoll is how long messages are kept while nothing is recorded. It defaults to 0, none.
	PreRoll time.Duration
	// Snapshots makes a bag contain only the pre-rolls written by [Recorder.Snapshot].
	Snapshots bool
	// MaxFileSize (bytes) and MaxFileTime are the limits at which a new file begins. They default to none.
	MaxFileSize int64
	MaxFileTime time.Duration
	// MaxSize (bytes) and MaxTime end the recording. They default to none.
	MaxSize int64
	MaxTime time.Duration
	// DiskShare is the share of the disk, 0 to 1, that the recording may use: beyond it its oldest file is removed.
	// It defaults to 0: nothing is removed.
	DiskShare float64
	// Reserve is the disk space to be left free, in bytes. It defaults to 32 MiB, at most a tenth of the disk.
	Reserve int64
	// MaxIndex is the memory for the index of a file, in bytes, at which a new file begins: it grows with every chunk
	// until the file is complete. It defaults to 0, no limit.
	MaxIndex int
	// RepeatLatched begins every file with the messages of transient local publishers. It is on with DiskShare.
	RepeatLatched bool
	// Dropped, if it is not nil, returns how many messages publishers of this program have dropped before they published
	// them, since the program began. It must be safe for concurrent use.
	Dropped func() uint64
	// Custom is written into the bag's metadata.
	Custom map[string]string
	// Library is the name of the program in the files, Distribution the ROS 2 distribution in the bag's metadata.
	Library, Distribution string
	// Records are additional records, written at the beginning of every file.
	Records []mcap.Metadata
	// Logger defaults to the node's.
	Logger *slog.Logger

	disk disk             // a fake in tests
	wall func() time.Time // this computer's clock; a fake in tests
}

// Defaults of [Config].
const (
	defaultChunkTime = 500 * time.Millisecond
	defaultChunkSize = 768 << 10
	DefaultCache     = 16 << 20
	defaultReserve   = 32 << 20
)

// complete validates the configuration and sets the defaults.
func (c *Config) complete() error {
	switch {
	case c.Node == nil:
		return fmt.Errorf("%w: Node is nil", errConfig)
	case c.DiskShare < 0 || c.DiskShare > 1:
		return fmt.Errorf("%w: DiskShare %g is not between 0 and 1", errConfig, c.DiskShare)
	case c.ChunkTime < 0 || c.PreRoll < 0 || c.MaxFileTime < 0 || c.MaxTime < 0:
		return fmt.Errorf("%w: a negative time (ChunkTime %v, PreRoll %v, MaxFileTime %v, MaxTime %v)", errConfig, c.ChunkTime, c.PreRoll, c.MaxFileTime, c.MaxTime)
	case c.ChunkSize < 0 || c.Cache < 0 || c.MaxFileSize < 0 || c.MaxSize < 0 || c.Reserve < 0 || c.MaxIndex < 0:
		return fmt.Errorf("%w: a negative size (ChunkSize %d, Cache %d, MaxFileSize %d, MaxSize %d, Reserve %d, MaxIndex %d)", errConfig,
			c.ChunkSize, c.Cache, c.MaxFileSize, c.MaxSize, c.Reserve, c.MaxIndex)
	}
	if c.Snapshots && c.PreRoll == 0 {
		return fmt.Errorf("%w: Snapshots without a PreRoll to take them of", errConfig)
	}
	if err := c.Select.compile(); err != nil {
		return err
	}
	if err := c.resolveNames(); err != nil {
		return err
	}
	if c.ChunkTime == 0 {
		c.ChunkTime = defaultChunkTime
	}
	if c.ChunkSize == 0 {
		c.ChunkSize = defaultChunkSize
	}
	if c.Cache == 0 {
		c.Cache = DefaultCache
	}
	if c.Reserve == 0 {
		c.Reserve = defaultReserve
	}
	if c.Types == nil {
		c.Types = func(string) (string, bool) { return "", false }
	}
	if c.Logger == nil {
		c.Logger = c.Node.Logger()
	}
	if c.wall == nil {
		c.wall = time.Now
	}
	if c.disk == nil {
		c.disk = realDisk{}
	}
	c.RepeatLatched = c.RepeatLatched || c.DiskShare > 0
	return nil
}

// resolveNames makes full names of those of the selection and of the quality of service.
func (c *Config) resolveNames() error {
	if err := c.Select.resolve(c.Node); err != nil {
		return err
	}
	qos := make(map[string]ros2.QoS, len(c.QoS))
	for name, q := range c.QoS {
		full, err := c.Node.ResolveName(name)
		if err != nil {
			return fmt.Errorf("%w: quality of service: %w", errConfig, err)
		}
		qos[full] = q
	}
	c.QoS = qos
	return nil
}
