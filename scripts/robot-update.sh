#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs on the robot, as root: installs a package of the driver, and returns to the one before if the new one does not
# settle: it is not ready in time, no odometry comes, or it has to be started again and again. It goes on when the
# connection breaks; what it did is in /var/log/epuck-update.log. scripts/install-on-robot sends it.
#   robot-update.sh NEW.deb [LIMIT [SETTLE]]
# LIMIT is how long odometry may take to come, SETTLE how long it is watched then, s. It ends with 0: the new package
# has settled. 1: it has not, and stays: there was none before, or that did not drive either. 3: the one before is back
# and drives. 4: it is back and does not drive.
set -u
new=$1 limit=${2:-120} settle=${3:-10}
kept=/var/cache/epuck-driver/installed.deb # the package that has settled
log=/var/log/epuck-update.log
trap '' HUP PIPE # of a connection that breaks
: >"$log"

say() {
  echo "$*" >>"$log"
  echo "$*" 2>/dev/null || :
}
version() { dpkg-query -W -f='${db:Status-Abbrev} ${Version}' epuck-driver 2>/dev/null | sed -n 's/^ii *//p'; }

# put installs a package; dpkg speaks to a file, for it does not outlive a terminal that is gone.
put() {
  # A package that was cut off half-way is configured first; one that can't be is replaced.
  { dpkg --configure -a || :; dpkg --force-confdef --force-confold -i "$1"; } </dev/null >"$log.dpkg" 2>&1
  status=$?
  cat "$log.dpkg" >>"$log"
  cat "$log.dpkg" 2>/dev/null || :
  rm -f "$log.dpkg"
  [ "$status" = 0 ] || return 1
  systemctl enable epuck-driver.service && systemctl --no-block start epuck-driver.service
}

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
restarts() { systemctl show -p NRestarts --value epuck-driver.service; }

# settled waits until the driver drives, for so many seconds at most, and then for whether it goes on to.
settled() {
  end=$(($(cut -d. -f1 /proc/uptime) + $1)) # no time server sets this clock
  until drives; do
    [ "$(cut -d. -f1 /proc/uptime)" -lt "$end" ] || return 1
    sleep 1
  done
  before=$(restarts)
  sleep "$settle"
  [ "$before" = "$(restarts)" ] && drives
}

was=$(version)
drove=no
if [ -n "$was" ] && drives; then drove=yes; fi
say "installing $(dpkg-deb -f "$new" Version), before: ${was:-none}"
if put "$new" && settled "$limit"; then
  mkdir -p "${kept%/*}"
  cp "$new" "$kept.new" && sync "$kept.new" && mv "$kept.new" "$kept" && sync "${kept%/*}"
  say "the new package has settled"
  exit 0
fi
if [ "$drove" = no ]; then
  say "the new package gives no odometry; neither did what was there before, so it stays"
  exit 1
fi
if [ ! -e "$kept" ] || [ "$(dpkg-deb -f "$kept" Version)" != "$was" ]; then
  say "the new package does not settle, and $was is not kept on this robot: install it again"
  exit 4
fi
say "the new package does not settle: back to $was"
if put "$kept" && settled "$limit"; then
  say "$was is back"
  exit 3
fi
say "$was is back and does not settle either"
exit 4
