// SPDX-License-Identifier: Apache-2.0

package webots

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
)

// page is what a camera or a lidar shows. Controllers of this machine have it in a file, others in their answers.
type page struct {
	folder string // for the file; "": the controller comes over TCP
	file   *os.File
	pixels []byte
}

// newPage makes a page of b's, which puts it away at its end.
func newPage(b *body) *page {
	p := &page{}
	if !b.session.remote {
		p.folder = b.server.folder.pages
	}
	b.pages = append(b.pages, p)
	return p
}

// open makes the page of so many bytes, and sends the file's name to the controller.
func (p *page) open(b *body, tag uint16, size int, a *wire.Answer) error {
	p.pixels = make([]byte, size)
	if p.folder == "" {
		return nil
	}
	name := filepath.Join(p.folder, fmt.Sprintf("%d-%s", tag, wire.EncodeName(b.Name())))
	var err error
	if p.file, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600); err != nil {
		return fmt.Errorf("%w: %w", errFolder, err)
	}
	if _, err = p.file.WriteAt(p.pixels, 0); err != nil {
		return fmt.Errorf("%w: %w", errFolder, err)
	}
	a.Begin(tag, wire.CameraFile)
	a.Int32(int32(len(p.pixels)))
	a.String(name)
	return nil
}

// show makes the page's content available to the controller.
func (p *page) show(b *body, tag uint16, a *wire.Answer) {
	if p.folder == "" {
		a.Picture(tag, p.pixels)
		return
	}
	if _, err := p.file.WriteAt(p.pixels, 0); err != nil {
		b.missing("pictures", err.Error())
	}
}

// close removes the file.
func (p *page) close() error {
	if p.file == nil {
		return nil
	}
	err := os.Remove(p.file.Name())
	if errors.Is(err, fs.ErrNotExist) { // the whole folder is gone: the server ends
		err = nil
	}
	err = errors.Join(p.file.Close(), err)
	p.file = nil
	return err
}
