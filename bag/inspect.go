// SPDX-License-Identifier: Apache-2.0

package bag

import "fmt"

// Inspect opens a bag as [Open] does, also with metadata that can't be read, and returns [Bag.Remarks] and what else its
// metadata and its files do not have in common, one sentence for each: metadata that are missing, files that are not
// listed, other numbers, topics with several definitions.
func Inspect(path string) (b *Bag, remarks []string, err error) {
	c, err := locate(path)
	if err != nil {
		return nil, nil, err
	}
	if b, err = c.open(); err != nil {
		return nil, nil, err
	}
	remarks = append(remarks, b.Remarks...)
	switch {
	case c.bad != nil:
		remarks = append(remarks, fmt.Sprintf("%v; what follows is what the files have; epuck-driver bag recover writes it again", c.bad))
	case c.meta != nil:
		remarks = append(remarks, b.differences(c)...)
	case c.folder:
		remarks = append(remarks, "there is no "+MetadataFile+", without which ros2 bag reads no folder; nothing is lost by that")
	}
	for _, err := range b.Ambiguities(nil) {
		remarks = append(remarks, err.Error())
	}
	return b, remarks, nil
}

// differences compares metadata with the files of a folder.
func (b *Bag) differences(c *content) (remarks []string) {
	if len(c.listed) > 0 && len(c.missing) == len(c.listed) { // of another bag
		return nil
	}
	if len(c.unlisted) > 0 {
		remarks = append(remarks, fmt.Sprintf("%s not in %s: ros2 bag does not play it", sample(c.unlisted), MetadataFile))
	}
	if n := b.Count(); len(remarks)+len(c.missing)+len(b.Interrupted)+len(b.Damage) == 0 && n != c.meta.Messages {
		remarks = append(remarks, fmt.Sprintf("%s counts %d messages, the files have %d", MetadataFile, c.meta.Messages, n))
	}
	return remarks
}
