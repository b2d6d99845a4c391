// SPDX-License-Identifier: Apache-2.0

package caminfo

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// DefaultURL is camera_info_manager's default.
const DefaultURL = "file://${ROS_HOME}/camera_info/${NAME}.yaml"

// Environment is the source of variables in URLs. The zero value is the environment of the process.
type Environment struct {
	// Getenv returns a variable's value, empty if it is not set. It defaults to os.Getenv.
	Getenv func(string) string
}

func (e Environment) get(name string) string {
	if e.Getenv == nil {
		return os.Getenv(name)
	}
	return e.Getenv(name)
}

// Path returns the file that a URL of camera_info_manager names: file:///ABSOLUTE/PATH, or package://PACKAGE/PATH for a
// file in the share folder of an installed ROS package (AMENT_PREFIX_PATH). ${NAME} is replaced by the camera's name
// and ${ROS_HOME} by ROS's folder, by default $HOME/.ros. The empty URL is [DefaultURL]. The file need not exist. The
// error quotes the URL and names what is invalid: scheme, path, package or variable.
func (e Environment) Path(url, camera string) (string, error) {
	if url == "" {
		url = DefaultURL
	}
	full, err := e.expand(url, camera)
	if err != nil {
		return "", err
	}
	scheme, rest, found := strings.Cut(full, "://")
	switch scheme = strings.ToLower(scheme); {
	case !found:
		return "", fmt.Errorf("%w: %q has no scheme; there is: file://, package://", errURL, url)
	case scheme == "file":
		if !strings.HasPrefix(rest, "/") || strings.HasSuffix(rest, "/") {
			return "", fmt.Errorf("%w: %q: file:// requires the absolute path of a file", errURL, url)
		}
		return filepath.Clean(rest), nil
	case scheme == "package":
		return e.packaged(url, rest)
	}
	return "", fmt.Errorf("%w: %q: scheme %s; there is: file://, package://", errURL, url, scheme)
}

// expand replaces the variables.
func (e Environment) expand(url, camera string) (string, error) {
	var out strings.Builder
	for rest := url; ; {
		before, after, found := strings.Cut(rest, "${")
		out.WriteString(before)
		if !found {
			return out.String(), nil
		}
		name, tail, closed := strings.Cut(after, "}")
		switch {
		case closed && name == "NAME":
			if err := CheckName(camera); err != nil {
				return "", fmt.Errorf("%w: %q: %w", errURL, url, err)
			}
			out.WriteString(camera)
		case closed && name == "ROS_HOME":
			home, err := e.rosHome()
			if err != nil {
				return "", fmt.Errorf("%w: %q: %w", errURL, url, err)
			}
			out.WriteString(home)
		default:
			return "", fmt.Errorf("%w: %q: ${%s; there is: ${NAME}, ${ROS_HOME}", errURL, url, name)
		}
		rest = tail
	}
}

// rosHome returns ROS's folder.
func (e Environment) rosHome() (string, error) {
	home := e.get("ROS_HOME")
	if home == "" {
		user := e.get("HOME")
		if user == "" {
			return "", fmt.Errorf("neither ROS_HOME nor HOME is set")
		}
		home = filepath.Join(user, ".ros")
	}
	return filepath.Abs(home)
}

// packaged returns the path of a file in an installed package.
func (e Environment) packaged(url, rest string) (string, error) {
	name, path, _ := strings.Cut(rest, "/")
	if name == "" || path == "" || strings.HasSuffix(path, "/") || !filepath.IsLocal(name) || !filepath.IsLocal(path) {
		return "", fmt.Errorf("%w: %q: package:// requires the name of a package and the path of a file in it", errURL, url)
	}
	prefixes := filepath.SplitList(e.get("AMENT_PREFIX_PATH"))
	for _, prefix := range prefixes {
		share := filepath.Join(prefix, "share")
		if _, err := os.Stat(filepath.Join(share, "ament_index", "resource_index", "packages", name)); err == nil {
			return filepath.Join(share, name, path), nil
		}
	}
	if len(prefixes) == 0 {
		return "", fmt.Errorf("%w: %q: AMENT_PREFIX_PATH is not set, so no package can be found", errURL, url)
	}
	return "", fmt.Errorf("%w: %q: no package %s in AMENT_PREFIX_PATH %q", errURL, url, name, prefixes)
}
