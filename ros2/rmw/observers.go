// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"slices"
	"sync"
)

// observers is a list of functions to call. The zero value is empty; it is safe
// for concurrent use.
type observers struct {
	mu   sync.Mutex
	list []*func() // replaced, never changed in place
}

func (o *observers) add(f func()) (cancel func()) {
	entry := &f
	o.mu.Lock()
	defer o.mu.Unlock()
	o.list = append(slices.Clone(o.list), entry)
	return func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.list = slices.DeleteFunc(slices.Clone(o.list), func(e *func()) bool { return e == entry })
	}
}

func (o *observers) call() {
	o.mu.Lock()
	list := o.list
	o.mu.Unlock()
	for _, f := range list {
		(*f)()
	}
}
