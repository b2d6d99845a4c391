// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"errors"
	"fmt"
	"path/filepath"

	"go.yaml.in/yaml/v3"

	"github.com/epuck-ros2/epuck-driver/bag/mcap"
	"github.com/epuck-ros2/epuck-driver/internal/filekind"
)

// Recovered is the result for one file of a bag.
type Recovered struct {
	File string
	mcap.Report
	// Err is the reason why the file could not be recovered, or, of a file in SQLite, why only a part of its messages can be
	// read. A file without any is removed from the bag's list.
	Err error
}

func parseInner(text string) (*Metadata, error) {
	m := &Metadata{}
	if err := yaml.Unmarshal([]byte(text), m); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMetadata, err)
	}
	return m, nil
}

// Recover completes the files of a bag and writes its metadata.yaml, also if the existing one can't be read; a single
// file is completed alone. show, if not nil, is called repeatedly with the progress and the current file.
func Recover(path string, show func(share float64, file string)) ([]Recovered, error) {
	c, err := locate(path)
	switch {
	case err != nil:
		return nil, err
	case c.compressed():
		_, err := c.open()
		return nil, err
	}
	if show == nil {
		show = func(float64, string) {}
	}
	if c.suffix == suffixSQLite {
		return recoverSQLite(c, show)
	}
	var out []Recovered
	for i, name := range c.names {
		one := Recovered{File: c.relative(name)}
		one.Report, one.Err = mcap.Recover(name,
			func(r *mcap.Reader) (mcap.Metadata, error) { return innerMetadata(r, name, c.meta) },
			func(done, of int64) {
				show((float64(i)+float64(done)/float64(of))/float64(len(c.names)), one.File)
			})
		if errors.Is(one.Err, mcap.ErrBusy) {
			return out, one.Err
		}
		one.Err = filekind.Explain(name, one.Err, filekind.MCAP)
		out = append(out, one)
		show(float64(i+1)/float64(len(c.names)), one.File)
	}
	if !c.folder {
		return out, nil
	}
	b, err := c.open()
	if err != nil {
		return out, err
	}
	return out, errors.Join(b.Metadata().Write(path), b.Close())
}

// innerMetadata returns the record that rosbag2 writes at the end of a file: the metadata of that file alone.
func innerMetadata(r *mcap.Reader, name string, meta *Metadata) (mcap.Metadata, error) {
	one := &Bag{Path: name, Storage: StorageMCAP}
	one.add(r, filepath.Base(name))
	var of map[*mcap.Channel]*Topic
	one.topics, of = mcapTopics([]*mcap.Reader{r}, []string{filepath.Base(name)})
	one.complete(nil)
	s := mcapStore{readers: []*mcap.Reader{r}, topics: of}
	one.packed = meta.packed(s.compressed)
	if meta != nil {
		one.Custom, one.Distribution = meta.Custom, meta.Distribution
	}
	text, err := one.Metadata().Inner()
	return mcap.Metadata{Name: MetadataName, Entries: map[string]string{MetadataKey: text}}, err
}
