// SPDX-License-Identifier: Apache-2.0

package webots

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"

	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
)

// folder is what controllers of this machine look into: a folder for each robot with its socket, and what cameras show.
// Controllers of R2023a look into another one than later ones.
type folder struct {
	roots   []string // removed at the end
	pages   string   // for pictures
	sockets []socket
}

// socket is the path of the socket at which the controller of a robot connects.
type socket struct {
	listener net.Listener
	robot    string
	release  wire.Release
}

// open makes the folder for the robots.
func (f *folder) open(cfg *Config, port int, robots []string) error {
	instance := strconv.Itoa(port)
	for _, r := range []struct {
		release wire.Release
		path    []string
	}{
		{cfg.Release, []string{"webots", cfg.User, instance}},
		{wire.Releases()[0], []string{"webots-" + instance}},
	} {
		if r.release.Pathed() != (len(r.path) > 1) {
			r.release = wire.Latest() // one that looks there
		}
		root, err := makeAll(cfg.Folder, r.path)
		if err != nil {
			return err
		}
		f.roots = append(f.roots, root)
		if f.pages == "" {
			f.pages = filepath.Join(root, "pictures")
			if err := os.Mkdir(f.pages, 0o700); err != nil {
				return fmt.Errorf("%w: %w", errFolder, err)
			}
		}
		for _, name := range robots {
			if err := f.listen(root, name, r.release); err != nil {
				return err
			}
		}
	}
	return nil
}

// makeAll makes a folder with those above it, all but the first, and removes what an earlier server has left in the
// last one. The port is ours: no other server is at work there.
func makeAll(at string, path []string) (string, error) {
	for i, name := range path {
		at = filepath.Join(at, name)
		last := i == len(path)-1
		if last {
			if err := os.RemoveAll(at); err != nil {
				return "", fmt.Errorf("%w: %w", errFolder, err)
			}
		}
		mode := fs.FileMode(0o755)
		if last {
			mode = 0o700
		}
		if err := os.Mkdir(at, mode); err != nil && (last || !errors.Is(err, fs.ErrExist)) {
			return "", fmt.Errorf("%w: %w", errFolder, err)
		}
		if info, err := os.Lstat(at); err != nil || !info.IsDir() {
			return "", fmt.Errorf("%w: %s is no folder", errFolder, at)
		}
	}
	return at, nil
}

// listen makes the socket of a robot.
func (f *folder) listen(root, robot string, release wire.Release) error {
	dir := filepath.Join(root, "ipc", wire.EncodeName(robot))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("%w: %w", errFolder, err)
	}
	l, err := new(net.ListenConfig).Listen(context.Background(), "unix", filepath.Join(dir, "extern"))
	if err != nil {
		return fmt.Errorf("%w: %w", errFolder, err)
	}
	f.sockets = append(f.sockets, socket{l, robot, release})
	return nil
}

// close ends the sockets and removes the folder.
func (f *folder) close() error {
	var errs []error
	for _, s := range f.sockets {
		if err := s.listener.Close(); !errors.Is(err, net.ErrClosed) {
			errs = append(errs, err)
		}
	}
	for _, root := range f.roots {
		errs = append(errs, os.RemoveAll(root))
	}
	return errors.Join(errs...)
}
