// SPDX-License-Identifier: Apache-2.0

package blackbox

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/bag/mcap"
	"github.com/epuck-ros2/epuck-driver/bag/record"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Names of the parameters.
const (
	paramDirectory     = "record.directory"
	paramStart         = "record.start"
	paramButton        = "record.button"
	paramTopics        = "record.topics"
	paramRegex         = "record.regex"
	paramExcludeTopics = "record.exclude_topics"
	paramExcludeRegex  = "record.exclude_regex"
	paramCompression   = "record.compression"
	paramCache         = "record.cache"
	paramPreRoll       = "record.pre_roll"
	paramFileSize      = "record.max_file_size"
	paramFileTime      = "record.max_file_time"
	paramDuration      = "record.duration"
	paramDiskShare     = "record.disk_share"
	paramBus           = "record.bus"
)

const (
	// mega is the unit of sizes, MiB in bytes.
	mega = 1 << 20
	// maxCacheSetting bounds record.cache on any machine, MiB.
	maxCacheSetting = 1024
	// reserve is the disk space that recordings leave free, at most a tenth of the disk, bytes.
	reserve = 1 << 30
	// minFileTime is the minimum duration of a file.
	minFileTime = time.Second
	// maxIndex is the memory for the index of a file, bytes, at which a new file begins.
	maxIndex = 8 << 20
)

// Parameters returns the table of parameters. The caller owns it.
func Parameters() []ros2.ParameterDescriptor {
	text := func(name, value, meaning string) ros2.ParameterDescriptor {
		return ros2.ParameterDescriptor{Name: name, Default: ros2.StringValue(value), Description: meaning}
	}
	flag := func(name, meaning string) ros2.ParameterDescriptor {
		return ros2.ParameterDescriptor{Name: name, Default: ros2.BoolValue(false), Description: meaning}
	}
	number := func(name string, value, least, most float64, meaning string) ros2.ParameterDescriptor {
		return ros2.ParameterDescriptor{Name: name, Default: ros2.DoubleValue(value), FloatRange: ros2.FloatBetween(least, most), Description: meaning}
	}
	size := func(name string, value, most int64, meaning string) ros2.ParameterDescriptor {
		return ros2.ParameterDescriptor{Name: name, Default: ros2.IntegerValue(value), IntegerRange: ros2.IntegerBetween(1, most), Description: meaning}
	}
	list := func(name string, value []string, meaning string) ros2.ParameterDescriptor {
		return ros2.ParameterDescriptor{Name: name, Default: ros2.StringArrayValue(value), Description: meaning}
	}
	directory := text(paramDirectory, "", "Folder in which recordings are made; empty is bags in the service's state folder, else in the working folder. "+
		"It can't change while the program runs.")
	directory.ReadOnly = true
	compression := text(paramCompression, "none", "Compression of recordings.")
	compression.OneOf = []string{"none", "zstd"}
	return []ros2.ParameterDescriptor{
		directory,
		flag(paramStart, "Record from the start of the program."),
		flag(paramButton, "A press of the robot's button starts or stops recording."),
		list(paramTopics, nil, "Topics to record; none, and no record.regex, is all topics of this node."),
		text(paramRegex, "", "Record all topics of the network that contain this regular expression, too."),
		list(paramExcludeTopics, []string{"image_raw"}, "Topics to leave out; raw pictures are 14 MB/s."),
		text(paramExcludeRegex, "", "Leave out topics that contain this regular expression."),
		compression,
		size(paramCache, 8, maxCacheSetting, "Memory for what waits for the disk, or is kept by record.pre_roll (MiB); at most an eighth of the "+
			"machine's memory or the unit's limit."),
		number(paramPreRoll, 0, 0, 3600, "Keep so much before a recording or snapshot in memory (s); 0 keeps nothing, and costs nothing."),
		size(paramFileSize, 256, 1<<20, "Begin a new file at this size (MiB)."),
		number(paramFileTime, 0, 0, 1e6, "Begin a new file after this time, at least 1 (s); 0: no limit."),
		number(paramDuration, 0, 0, 1e6, "End a recording after this time (s); 0: no limit."),
		number(paramDiskShare, 0.5, 0, 1, "Share of the disk that a recording may use; beyond it its oldest file is removed. 0 removes nothing. A tenth of the disk, at most 1 GiB, stays free."),
		flag(paramBus, "Record what the robot's bus carries, too, for \"bag play --into-driver\"."),
	}
}

// config reads the current parameters.
func (o *Recorder) config() (c record.Config, err error) {
	p := o.cfg.Node.Parameters()
	get := func(name string) ros2.ParameterValue {
		v, failed := p.Get(name)
		if failed != nil && err == nil {
			err = failed
		}
		return v
	}
	c = record.Config{
		Node: o.cfg.Node, Types: o.cfg.Types, Variants: o.cfg.Variants, Library: o.cfg.Library, Records: o.cfg.Records, Logger: o.log,
		Cache: int(get(paramCache).Integer()) * mega, PreRoll: ros2.Seconds(get(paramPreRoll).Double()),
		MaxFileSize: get(paramFileSize).Integer() * mega, MaxFileTime: ros2.Seconds(get(paramFileTime).Double()),
		DiskShare: get(paramDiskShare).Double(), MaxTime: ros2.Seconds(get(paramDuration).Double()),
		Reserve: reserve, MaxIndex: maxIndex,
	}
	if c.MaxFileTime > 0 {
		c.MaxFileTime = max(c.MaxFileTime, minFileTime)
	}
	c.Select = record.Selection{
		Topics: get(paramTopics).StringArray(), Regex: get(paramRegex).Str(),
		ExcludeTopics: get(paramExcludeTopics).StringArray(), ExcludeRegex: get(paramExcludeRegex).Str(),
	}
	c.Select.OfNode = len(c.Select.Topics) == 0
	c.Select.Words = slices.Clone(o.cfg.RunTopics)
	if get(paramBus).Bool() {
		c.Select.Words = append(c.Select.Words, o.cfg.BusTopics...)
		c.Dropped = o.cfg.BusDropped
	}
	if get(paramCompression).Str() == "zstd" {
		c.Compression = mcap.Zstd
	}
	return c, err
}

// folder returns the folder of a new bag.
func (o *Recorder) folder(what string) (string, error) {
	v, err := o.cfg.Node.Parameter(paramDirectory)
	if err != nil {
		return "", err
	}
	dir := v.Str()
	if dir == "" {
		dir = o.cfg.Directory
	}
	name := strings.Trim(strings.ReplaceAll(o.cfg.Node.FullName(), "/", "_"), "_")
	// In full: who calls the service has another working directory, perhaps on another machine.
	return filepath.Abs(filepath.Join(dir, fmt.Sprintf("%s_%s_%s", what, name, time.Now().Format("2006_01_02-15_04_05.000"))))
}
