// SPDX-License-Identifier: Apache-2.0

package web

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// errAsset is matched when a URI names no permitted asset.
var errAsset = errors.New("web: no such asset")

// assetKinds are the extensions of files that robot descriptions refer to, as in foxglove_bridge.
var assetKinds = []string{
	".dae", ".fbx", ".glb", ".gltf", ".jpeg", ".jpg", ".mtl", ".obj", ".png", ".stl", ".tif", ".tiff", ".urdf", ".webp", ".xacro",
}

// PackageAssets returns a [Config.Asset] for package://NAME/PATH of the ROS packages whose folders find returns.
// Paths that lead out of a package, and files of other kinds, are refused.
func PackageAssets(find func(name string) (fs.FS, bool)) func(uri string) ([]byte, error) {
	return func(uri string) ([]byte, error) {
		rest, ok := strings.CutPrefix(uri, "package://")
		name, file, inside := strings.Cut(rest, "/")
		if !ok || !inside || !fs.ValidPath(name) || !fs.ValidPath(file) || !slices.Contains(assetKinds, strings.ToLower(path.Ext(file))) {
			return nil, fmt.Errorf("%w: %.200q", errAsset, uri)
		}
		files, ok := find(name)
		if !ok {
			return nil, fmt.Errorf("%w: no package %.100q", errAsset, name)
		}
		return fs.ReadFile(files, file)
	}
}
