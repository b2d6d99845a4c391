# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2317 # sourced, return ends it
# Source this in a shell that has sourced ROS 2's setup.sh, so that `go build -tags rclgo` finds rcl.
#
# It works around a defect of rclgo, whose cgo flags name only /opt/ros/humble and /usr. ROS 2 may be in another place,
# of another release, and in several overlaid workspaces: AMENT_PREFIX_PATH names them all.

rclgo_cflags='' rclgo_ldflags=''
rclgo_ifs=$IFS
IFS=:
for rclgo_prefix in ${AMENT_PREFIX_PATH-}; do
  IFS=$rclgo_ifs
  for rclgo_dir in "$rclgo_prefix"/include/*/; do
    # Since Humble a package's headers are in include/PACKAGE/PACKAGE.
    rclgo_package=$(basename "$rclgo_dir")
    if [ -d "$rclgo_dir$rclgo_package" ]; then rclgo_cflags="$rclgo_cflags -I${rclgo_dir%/}"; fi
  done
  if [ -d "$rclgo_prefix/include" ]; then rclgo_cflags="$rclgo_cflags -I$rclgo_prefix/include"; fi
  if [ -d "$rclgo_prefix/lib" ]; then rclgo_ldflags="$rclgo_ldflags -L$rclgo_prefix/lib -Wl,-rpath-link,$rclgo_prefix/lib"; fi
  IFS=:
done
IFS=$rclgo_ifs
if [ -z "$rclgo_ldflags" ]; then
  echo "rclgo-flags: no ROS 2 here; source its setup.sh first (AMENT_PREFIX_PATH is '${AMENT_PREFIX_PATH-}')" >&2
  # shellcheck disable=SC2317 # reached where the file was run instead of sourced
  return 1 2>/dev/null || exit 1
fi
export CGO_ENABLED=1
export CGO_CFLAGS="${CGO_CFLAGS--O2 -g} -Wno-deprecated-declarations$rclgo_cflags"
export CGO_LDFLAGS="${CGO_LDFLAGS-}$rclgo_ldflags"
unset rclgo_cflags rclgo_ldflags rclgo_ifs rclgo_prefix rclgo_dir rclgo_package
