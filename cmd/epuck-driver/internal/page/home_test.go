// SPDX-License-Identifier: Apache-2.0

package page

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/web"
)

// TestFolderOfTheTokensIsNamed: the error of a folder that cannot be used says what it is for and which variable decides.
func TestFolderOfTheTokensIsNamed(t *testing.T) {
	t.Setenv("ROS_HOME", "")
	cfg := &web.Config{TokenFile: "/home/x/.ros/tokens.json"}
	for _, path := range []string{"/home/x/.ros/tokens.json", "/home/x/.ros", "/home/x"} {
		cause := &fs.PathError{Op: "mkdir", Path: path, Err: fs.ErrPermission}
		err := explainHome(cause, "/home/x/.ros", cfg)
		if !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "the tokens of the page are kept in the folder /home/x/.ros") ||
			!strings.Contains(err.Error(), "ROS_HOME is not set") {
			t.Errorf("%s: %v", path, err)
		}
	}
	t.Setenv("ROS_HOME", "/home/x/.ros")
	cause := &fs.PathError{Op: "open", Path: "/home/x/.ros/web.pem", Err: fs.ErrPermission}
	if err := explainHome(cause, "/home/x/.ros", &web.Config{CertificateFile: "/home/x/.ros/web.pem"}); !strings.Contains(err.Error(), "the certificate of the page is kept") ||
		!strings.Contains(err.Error(), "ROS_HOME, which is set, decides") {
		t.Error(err)
	}
	for _, other := range []error{errors.New("no port"), &fs.PathError{Op: "open", Path: "/etc/x", Err: fs.ErrPermission}} {
		if err := explainHome(other, "/home/x/.ros", cfg); err != other { //nolint:errorlint // it stays as it is
			t.Errorf("%v became %v", other, err)
		}
	}
	if explainHome(nil, "/home/x/.ros", cfg) != nil {
		t.Error("an error out of nothing")
	}
}
