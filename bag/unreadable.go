// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/internal/filekind"
)

// unreadable are the files of a bag that cannot be read, each with what it is instead and how to continue. kind is
// what the files of the storage are.
type unreadable struct {
	kind    filekind.Kind
	errs    []error
	refused bool // one of them is not damaged: it may not be opened
}

// add adds a file with its error, which names the file. damaged reports whether the bag can be read without it.
func (u *unreadable) add(name string, err error, damaged bool) {
	u.errs = append(u.errs, filekind.Explain(name, err, u.kind))
	u.refused = u.refused || !damaged
}

// into notes the files as damage of a bag that has others. Without others, or if one was refused, it returns the errors
// of all.
func (u *unreadable) into(b *Bag, names []string) error {
	switch {
	case len(u.errs) == 0:
		return nil
	case len(names) == 1:
		return u.errs[0]
	case len(u.errs) == len(names):
		return fmt.Errorf("%w: nothing of %s can be read:\n%w", ErrNoBag, b.Path, errors.Join(u.errs...))
	case u.refused:
		return fmt.Errorf("%d of the %d files of %s cannot be read:\n%w", len(u.errs), len(names), b.Path, errors.Join(u.errs...))
	}
	for _, err := range u.errs {
		b.Damage = append(b.Damage, err.Error())
	}
	return nil
}
