#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs on the robot, as root: installs a package of the driver, and returns to the one before if the new one does worse.
# scripts/install-on-robot sends it.
#   robot-update.sh NEW.deb [LIMIT [SETTLE]]
#   robot-update.sh --base     the packages of the system underneath, from its own archives, with their signatures
# LIMIT is how long odometry may take to come, SETTLE how long the driver is watched then, s. The work is done by a unit
# of systemd's (robot-update.sh --work): it goes on when the connection breaks, and after a power cut at the next start.
# What it did is in /var/log/epuck-update.log. It ends with
#   0  the new package has settled: odometry comes, and goes on to
#   1  it gives no odometry and stays: there was none before, or that gave none either and did not run better
#   3  the one before is back and does as it did
#   4  the one before is back and does worse than it did
#   5  another update is under way; nothing was changed
#   6  there is no room, or what was sent is no package; nothing was changed
#   7  the base was not updated, for a reason that the log has
set -u
mode=${1:-}
kept=/var/cache/epuck-driver/installed.deb # the package that has settled
dir=/var/cache/epuck-driver/update         # new.deb, back.deb, update.sh, and what was before
unit=epuck-driver-update.service
log=/var/log/epuck-update.log
case $mode in --base | --work-base) dir=/var/cache/epuck-driver/base-update unit=epuck-base-update.service ;; esac
ended=/run/epuck-update.status
export DEBIAN_FRONTEND=noninteractive

say() { echo "$*" >>"$log"; }
version() { dpkg-query -W -f='${db:Status-Abbrev} ${Version}' epuck-driver 2>/dev/null | sed -n 's/^ii *//p'; }
uptime() { cut -d. -f1 /proc/uptime; } # no time server sets this clock
restarts() { systemctl show -p NRestarts --value epuck-driver.service; }

# odometry hears one message of this robot, of no other in the same domain.
odometry() (
  settings=/etc/default/epuck-driver
  namespace=$(sed -n 's/^EPUCK_ARGS=.*__ns:=\([^" ]*\).*/\1/p' "$settings" | tail -n 1)
  # shellcheck disable=SC2046 # a word for each variable
  export $(grep -hE '^ROS_[A-Z_]+=' "$settings") _=
  topic=$(timeout 10 epuck-driver topic find nav_msgs/msg/Odometry 2>/dev/null | grep -E "^$namespace/[^/]+\$" | head -n 1)
  [ -n "$topic" ] && timeout 20 epuck-driver topic echo --once "$topic" >/dev/null 2>&1
)
drives() { [ "$(systemctl is-active epuck-driver.service)" = active ] && odometry; }

# state is how well the driver does, after waiting so many seconds for odometry at most: drives, waits (for a robot that
# is switched off, without being started again and again) or fails. Where the one before drove both are as bad.
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
  # A package that was cut off half-way is configured first; one that can't be is replaced.
  { dpkg --configure -a || :; dpkg --force-confdef --force-confold -i "$1"; } </dev/null >>"$log" 2>&1 || return 1
  sync
  systemctl enable epuck-driver.service && systemctl --no-block start epuck-driver.service
}

# repacked makes a package of what is installed: of a robot whose package was installed in another way. The owner's
# configuration is not in it: dpkg would take that for the package's own, and a later one's would replace it.
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

# room asks for space for a package, its files and a reserve, beside what is there.
room() {
  kib=$(($(dpkg-deb -f "$1" Installed-Size) + $(stat -c %s "$1") / 1024 + 16384))
  [ "$(($(stat -f -c '%a * %S' /usr/bin) / 1024))" -ge "$kib" ]
}

# prepare puts everything that the work needs on the disk, so that it can be gone on with after a power cut.
prepare() {
  dpkg-deb -f "$1" Version >/dev/null && room "$1" || return 6
  was=$(version) drove=fails
  if [ -e "$dir/before" ]; then
    # shellcheck source=/dev/null
    . "$dir/before" # of an update that was cut off: what was there before that
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

# enlist has systemd do the work, again after a power cut.
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

# finish leaves nothing to be gone on with.
finish() {
  systemctl -q disable "$unit"
  rm -rf "$dir" "/etc/systemd/system/$unit"
  systemctl daemon-reload
  sync
  echo "$1" >"$ended"
  exit 0
}

# work installs, watches and goes back. It is begun again after a power cut: the first time it tries the new package
# once more, later it goes back, for it may be that package that ends the machine.
work() {
  [ -e "$dir/new.deb" ] || finish 0 # cut off when all was done
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
  echo 2 >"$dir/tries" # it is decided
  sync
  say "the new package does not settle: back to $was"
  # A package whose files could not even be unpacked has left those of the one before.
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

# unmaintained says why the base can't be updated, if it can't.
unmaintained() {
  if [ "$(dpkg --print-architecture)" = armel ]; then
    echo "Debian for armel gets no security updates: ssh, Wi-Fi and kernel stay as they were built. docs/howto/card.md, Security updates, has another base"
  elif grep -rqsE '^[^#]*(trusted=yes|allow-insecure=yes)|^ *(Trusted|Allow-Insecure): *yes' /etc/apt/sources.list /etc/apt/sources.list.d; then
    echo "an archive of /etc/apt is trusted without a signature"
  fi
}

# archives runs apt-get, which takes nothing that no key of /etc/apt or its archive's signed-by has signed.
archives() {
  apt-get -q -y -o APT::Get::AllowUnauthenticated=false -o Acquire::AllowInsecureRepositories=false \
    -o Acquire::AllowWeakRepositories=false -o Acquire::AllowDowngradeToInsecureRepositories=false -o APT::Update::Error-Mode=any \
    -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold "$@" </dev/null
}

# base_room asks for space for the archives' packages: they are there compressed and unpacked for a while.
base_room() {
  kib=$(archives --print-uris upgrade --with-new-pkgs 2>/dev/null | awk '/^.(https?|file|copy|cdrom):/ { n += $3 } END { printf "%d", n * 5 / 1024 + 65536 }')
  [ "$(($(stat -f -c '%a * %S' /usr/bin) / 1024))" -ge "$kib" ]
}

# work_base updates the base. What a power cut left half-way is finished first; the third time nothing else is.
work_base() {
  tries=$(($(cat "$dir/tries" 2>/dev/null || echo 0) + 1))
  echo "$tries" >"$dir/tries"
  sync
  say "updating the base"
  { dpkg --configure -a && archives -f install; } >>"$log" 2>&1 || { say "a package of the base can't be configured"; finish 7; }
  [ "$tries" -le 2 ] || { say "the base was not updated: the power went twice meanwhile"; finish 7; }
  archives update >>"$log" 2>&1 || { say "an archive can't be reached, or no key that this robot trusts has signed it: the base was not updated"; finish 7; }
  base_room || { say "there is no room for the base's updates"; finish 7; }
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
trap '' HUP PIPE # of a connection that breaks
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
  *) rm -rf "$dir.new"; cat "$log"; echo "there is no room on this robot, or what was sent is no package: nothing was changed"; exit 6 ;;
esac
tail -n +1 --pid=$$ -f "$log" 2>/dev/null &
shown=$!
systemctl start "$unit"
sleep 1
kill "$shown"
exit "$(cat "$ended" 2>/dev/null || echo 4)"
