#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs on the robot, as root: installs a package of the driver, and reinstalls the previous one if the new one works
# less well. scripts/install-on-robot sends it.
#   robot-update.sh NEW.deb [LIMIT [SETTLE]]
#   robot-update.sh --base     updates the operating system from its own archives, with their signatures
# LIMIT is the maximum time until the first odometry, SETTLE how long the driver is watched then, in s. A systemd unit
# does the work (robot-update.sh --work): it continues when the connection breaks, and after a power cut at the next
# start. Its log is /var/log/epuck-update.log. Exit status:
#   0  the new package has settled: odometry is published steadily
#   1  the new package publishes no odometry and remains: there was none before, or that worked no better
#   3  the previous package is back and works as before
#   4  the previous package is back and works less well than before
#   5  another update is under way; nothing was changed
#   6  the disk is full, or the file is no package; nothing was changed
#   7  the base was not updated, for the reason in the log
set -u
mode=${1:-}
kept=/var/cache/epuck-driver/installed.deb # the package that has settled
dir=/var/cache/epuck-driver/update         # new.deb, back.deb, update.sh, and the state before
unit=epuck-driver-update.service
log=/var/log/epuck-update.log
case $mode in --base | --work-base) dir=/var/cache/epuck-driver/base-update unit=epuck-base-update.service ;; esac
ended=/run/epuck-update.status
export DEBIAN_FRONTEND=noninteractive

say() { echo "$*" >>"$log"; }
version() { dpkg-query -W -f='${db:Status-Abbrev} ${Version}' epuck-driver 2>/dev/null | sed -n 's/^ii *//p'; }
uptime() { cut -d. -f1 /proc/uptime; } # a clock that no time server adjusts
restarts() { systemctl show -p NRestarts --value epuck-driver.service; }

# odometry receives one message of this robot, not of another in the same domain.
odometry() (
  settings=/etc/default/epuck-driver
  namespace=$(sed -n 's/^EPUCK_ARGS=.*__ns:=\([^" ]*\).*/\1/p' "$settings" | tail -n 1)
  # shellcheck disable=SC2046 # a word for each variable
  export $(grep -hE '^ROS_[A-Z_]+=' "$settings") _=
  topic=$(timeout 10 epuck-driver topic find nav_msgs/msg/Odometry 2>/dev/null | grep -E "^$namespace/[^/]+\$" | head -n 1)
  [ -n "$topic" ] && timeout 20 epuck-driver topic echo --once "$topic" >/dev/null 2>&1
)
drives() { [ "$(systemctl is-active epuck-driver.service)" = active ] && odometry; }

# state prints how well the driver works, after waiting for odometry for at most $1 seconds: drives, waits (for a robot
# that is switched off, without restarts) or fails. If the previous package drove, waits and fails are equally bad.
state() {
  end=$(($(uptime) + $1))
  until drives; do
    [ "$(uptime)" -lt "$end" ] || break
    sleep 1
  done
  before=$(restarts)
  sleep "$settle"
  if [ "$before" = "$(restarts)" ] && drives; then echo drives; return; fi
  [ "$drove" = drives ] || sleep "${EPUCK_START:-35}" # longer than a start may hang (TimeoutStartSec)
  case $(systemctl is-active epuck-driver.service) in
    active | activating) if [ "$before" = "$(restarts)" ]; then echo waits; else echo fails; fi ;;
    *) echo fails ;;
  esac
}

# worse reports whether the first state is worse than the second.
worse() {
  case "$1 $2" in "fails waits" | "fails drives" | "waits drives") return 0 ;; esac
  return 1
}

# put installs a package.
put() {
  # A package whose installation was interrupted is configured first; if that fails it is replaced.
  { dpkg --configure -a || :; dpkg --force-confdef --force-confold -i "$1"; } </dev/null >>"$log" 2>&1 || return 1
  sync
  systemctl enable epuck-driver.service && systemctl --no-block start epuck-driver.service
}

# repacked builds a package from the installed files, for a robot whose package was installed in another way. It omits
# the owner's configuration: dpkg would consider it the package's own, and replace it by that of a later package.
repacked() (
  work=$(mktemp -d "$dir.files.XXXXXX") || exit 1
  trap 'rm -rf "$work"' EXIT
  info=/var/lib/dpkg/info/epuck-driver
  cat "$info.conffiles" >"$work/own" 2>/dev/null # it may have none
  dpkg -L epuck-driver | grep -vxFf "$work/own" |
    while read -r path; do [ ! -f "$path" ] || echo "${path#/}"; done >"$work/list"
  grep -qx usr/bin/epuck-driver "$work/list" && mkdir -p "$work/files/DEBIAN" && tar -C / -cf "$work/tar" -T "$work/list" &&
    tar -C "$work/files" -xf "$work/tar" && dpkg-query -s epuck-driver >"$work/status" || exit 1
  sed '/^Status:/d; /^Conffiles:/,/^[^ ]/{/^Conffiles:/d; /^ /d;}' "$work/status" >"$work/files/DEBIAN/control"
  for part in postinst preinst prerm postrm; do
    [ ! -e "$info.$part" ] || cp "$info.$part" "$work/files/DEBIAN/" || exit 1
  done
  dpkg-deb -Znone -b "$work/files" "$1"
)

# has_space reports whether the disk has space for a package, its files and a reserve.
has_space() {
  kib=$(($(dpkg-deb -f "$1" Installed-Size) + $(stat -c %s "$1") / 1024 + 16384))
  [ "$(($(stat -f -c '%a * %S' /usr/bin) / 1024))" -ge "$kib" ]
}

# prepare stores everything that the work needs on the disk, so that it can continue after a power cut.
prepare() {
  dpkg-deb -f "$1" Version >/dev/null && has_space "$1" || return 6
  was=$(version) drove=fails
  if [ -e "$dir/before" ]; then
    # shellcheck source=/dev/null
    . "$dir/before" # of an interrupted update: the state before it
  elif [ -n "$was" ]; then
    drove=$(state 0)
  fi
  mkdir -p "${dir%/*}" && rm -rf "$dir.new" && mkdir "$dir.new" && cp "$1" "$dir.new/new.deb" && cp "$0" "$dir.new/update.sh" || return 6
  printf 'was=%s drove=%s limit=%s settle=%s\n' "$was" "$drove" "$limit" "$settle" >"$dir.new/before" || return 6
  if [ -e "$dir/back.deb" ]; then
    cp "$dir/back.deb" "$dir.new/" || return 6
  elif [ -n "$was" ] && [ "$(dpkg-deb -f "$kept" Version 2>/dev/null)" = "$was" ]; then
    ln "$kept" "$dir.new/back.deb" || return 6
  elif [ -n "$was" ]; then
    repacked "$dir.new/back.deb" >>"$log" 2>&1 || return 6
  fi
  sync
  rm -rf "$dir" && mv "$dir.new" "$dir" && enlist --work
}

# enlist makes systemd do the work, also after a power cut.
enlist() {
  cat >"/etc/systemd/system/$unit" <<END || return 6
[Unit]
Description=Update of the e-puck2 driver or its base, also after a power cut
After=epuck-card.service
[Service]
Type=oneshot
ExecStart=/bin/sh $dir/update.sh $1
[Install]
WantedBy=multi-user.target
END
  systemctl daemon-reload
  systemctl -q enable "$unit" || return 6
  sync
}

# finish removes the unit and the files of the work.
finish() {
  systemctl -q disable "$unit"
  rm -rf "$dir" "/etc/systemd/system/$unit"
  systemctl daemon-reload
  sync
  echo "$1" >"$ended"
  exit 0
}

# work installs the new package, watches it, and reinstalls the previous one if necessary. After a power cut it starts
# again: the first time with the new package, later with the previous one, as the new one may crash the machine.
work() {
  [ -e "$dir/new.deb" ] || finish 0 # interrupted when all was done
  # shellcheck source=/dev/null
  . "$dir/before"
  tries=$(($(cat "$dir/tries" 2>/dev/null || echo 0) + 1))
  echo "$tries" >"$dir/tries"
  sync
  say "installing $(dpkg-deb -f "$dir/new.deb" Version), before: ${was:-none} ($drove)"
  now=fails put=no
  if [ "$tries" -le 2 ] && put "$dir/new.deb"; then
    put=yes now=$(state "$limit")
  fi
  if [ "$now" = drives ] || { [ "$put" = yes ] && ! worse "$now" "$drove"; }; then
    mv "$dir/new.deb" "$kept"
    sync
    if [ "$now" = drives ]; then say "the new package has settled"; finish 0; fi
    say "the new package gives no odometry; neither did what was there before, so it stays"
    finish 1
  fi
  if [ -z "$was" ]; then
    say "the new package can't be installed, and there was none before"
    finish 1
  fi
  echo 2 >"$dir/tries" # the decision is final
  sync
  say "the new package does not settle: back to $was"
  # If the new package could not be unpacked, the files of the previous one are still there.
  if { [ "$put" = no ] && [ "$(version)" = "$was" ]; } || put "$dir/back.deb"; then
    now=$(state "$([ "$drove" = drives ] && echo "$limit" || echo 0)")
    if ! worse "$now" "$drove"; then
      say "$was is back"
      finish 3
    fi
  fi
  say "$was is back and does not settle either"
  finish 4
}

# unmaintained prints the reason why the base can't be updated, if there is one.
unmaintained() {
  if [ "$(dpkg --print-architecture)" = armel ]; then
    echo "Debian for armel gets no security updates: ssh, Wi-Fi and kernel stay as they were built. docs/howto/card.md, Security updates, has another base"
  elif grep -rqsE '^[^#]*(trusted=yes|allow-insecure=yes)|^ *(Trusted|Allow-Insecure): *yes' /etc/apt/sources.list /etc/apt/sources.list.d; then
    echo "an archive of /etc/apt is trusted without a signature"
  fi
}

# archives runs apt-get, which only accepts packages signed by a key of /etc/apt or its archive's signed-by.
archives() {
  apt-get -q -y -o APT::Get::AllowUnauthenticated=false -o Acquire::AllowInsecureRepositories=false \
    -o Acquire::AllowWeakRepositories=false -o Acquire::AllowDowngradeToInsecureRepositories=false -o APT::Update::Error-Mode=any \
    -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold "$@" </dev/null
}

# base_has_space reports whether the disk has space for the packages, both compressed and unpacked.
base_has_space() {
  kib=$(archives --print-uris upgrade --with-new-pkgs 2>/dev/null | awk '/^.(https?|file|copy|cdrom):/ { n += $3 } END { printf "%d", n * 5 / 1024 + 65536 }')
  [ "$(($(stat -f -c '%a * %S' /usr/bin) / 1024))" -ge "$kib" ]
}

# work_base updates the base. It first completes an update that a power cut interrupted; the third time only that.
work_base() {
  tries=$(($(cat "$dir/tries" 2>/dev/null || echo 0) + 1))
  echo "$tries" >"$dir/tries"
  sync
  say "updating the base"
  { dpkg --configure -a && archives -f install; } >>"$log" 2>&1 || { say "a package of the base can't be configured"; finish 7; }
  [ "$tries" -le 2 ] || { say "the base was not updated: the power went twice meanwhile"; finish 7; }
  archives update >>"$log" 2>&1 || { say "an archive can't be reached, or no key that this robot trusts has signed it: the base was not updated"; finish 7; }
  base_has_space || { say "there is no space for the base's updates"; finish 7; }
  archives upgrade --with-new-pkgs >>"$log" 2>&1 || { say "the base was not updated, or not all of it"; finish 7; }
  archives clean >>"$log" 2>&1
  say "the base is up to date; a new kernel runs after a restart"
  finish 0
}

case $mode in
  --work | --work-base)
    exec 9>/run/epuck-update.lock
    flock 9
    if [ "$mode" = --work ]; then work; else work_base; fi
    ;;
esac
limit=${2:-120} settle=${3:-10}
trap '' HUP PIPE # the connection may break
(
  exec 9>/run/epuck-update.lock
  flock -n 9 || exit 5
  : >"$log"
  rm -f "$ended"
  if [ "$mode" = --base ]; then
    why=$(unmaintained)
    [ -z "$why" ] || { say "the base was not updated: $why"; exit 7; }
    rm -rf "$dir" && mkdir -p "$dir" && cp "$0" "$dir/update.sh" && enlist --work-base || exit 6
  else
    prepare "$1"
  fi
)
status=$?
case $status in
  0) ;;
  5) echo "another update is under way"; exit 5 ;;
  7) cat "$log"; exit 7 ;;
  *) rm -rf "$dir.new"; cat "$log"; echo "the robot's disk is full, or the file is no package: nothing was changed"; exit 6 ;;
esac
tail -n +1 --pid=$$ -f "$log" 2>/dev/null &
shown=$!
systemctl start "$unit"
sleep 1
kill "$shown"
exit "$(cat "$ended" 2>/dev/null || echo 4)"
