// SPDX-License-Identifier: Apache-2.0

package web

import (
	"errors"
	"io/fs"
	"testing"
	"testing/fstest"
)

func TestPackageAssets(t *testing.T) {
	files := fstest.MapFS{"meshes/body.stl": {Data: []byte("solid")}, "secret.key": {Data: []byte("secret")}}
	asset := PackageAssets(func(name string) (fs.FS, bool) { return files, name == "robot" })
	if data, err := asset("package://robot/meshes/body.stl"); err != nil || string(data) != "solid" {
		t.Error(string(data), err)
	}
	for _, bad := range []string{
		"package://robot/secret.key", "package://robot/../robot/meshes/body.stl", "package://robot/meshes/../../../etc/passwd.png", "package://other/a.png",
		"file:///etc/passwd.png", "package://robot//etc/a.png", "package://robot", "package://../a.png", "", "package://robot/meshes/./body.stl",
	} {
		if _, err := asset(bad); !errors.Is(err, errAsset) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
