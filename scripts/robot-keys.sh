#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs on the robot, as root: gives the driver the keys of an enclave, or takes them away. scripts/install-on-robot
# sends it.
#   robot-keys.sh FOLDER ENCLAVE [NAMESPACE]   FOLDER has the files of the enclave, whose name is as /epuck1
#   robot-keys.sh off
# The files replace /etc/epuck-driver/keys, readable by the service's user alone, and a block of
# /etc/default/epuck-driver names them. Both are replaced whole, the files first: after a power cut in between the
# service has the keys before, the new ones or none, and without those that its settings name it refuses to start.
set -eu
keys=/etc/epuck-driver/keys
settings=/etc/default/epuck-driver
# As in deploy/card/security.go.
begin='# DDS Security: this block is replaced together with the keys.'
end='# End of DDS Security.'
umask 077

say() { echo "robot-keys: $*"; }

# others prints the settings without the block.
others() {
  [ ! -e "$settings" ] || sed "/^$begin\$/,/^$end\$/d" "$settings"
}

# lines prints the block. A keystore is for one domain as a rule: then it is that of the service.
lines() { # enclave, namespace
  echo "$begin"
  domain=$(grep -a -o '<id>[0-9]*</id>' "$keys.new/enclaves$1/governance.p7s" | sort -u | tr -dc '0-9\n')
  case $domain in *[!0-9]* | "") ;; *) echo "ROS_DOMAIN_ID=$domain" ;; esac
  printf '%s\n' ROS_SECURITY_ENABLE=true ROS_SECURITY_STRATEGY=Enforce "ROS_SECURITY_KEYSTORE=$keys" "ROS_SECURITY_ENCLAVE_OVERRIDE=$1"
  [ -z "$2" ] || echo "EPUCK_ARGS=\"-r __ns:=$2\""
  echo "$end"
}

# replace puts new settings and keys in place, if they differ from those that are there.
replace() {
  chmod 644 "$settings.new"
  changed=""
  if [ -d "$keys.new" ]; then diff -rq "$keys.new" "$keys" >/dev/null 2>&1 || changed=yes; elif [ -e "$keys" ]; then changed=yes; fi
  cmp -s "$settings.new" "$settings" || changed=yes
  if [ -z "$changed" ]; then
    rm -rf "$keys.new" "$settings.new"
    say "nothing has changed"
    return
  fi
  sync
  rm -rf "$keys.old"
  if [ -d "$keys.new" ]; then
    [ ! -e "$keys" ] || mv "$keys" "$keys.old"
    mv "$keys.new" "$keys"
    mv "$settings.new" "$settings"
  else
    mv "$settings.new" "$settings"
    rm -rf "$keys"
  fi
  rm -rf "$keys.old"
  sync
  # A service that runs or waits for the robot starts again with them; one that does not has them when it starts.
  systemctl --no-block try-restart epuck-driver.service 2>/dev/null || :
  say "done; a service that runs starts again with them"
}

rm -rf "$keys.new"
if [ "$1" = off ]; then
  others >"$settings.new"
  replace
  exit
fi

folder=$1 enclave=$2
namespace=${3:-$(sed -n "/^$begin\$/,/^$end\$/s/^EPUCK_ARGS=\"-r __ns:=\(.*\)\"\$/\1/p" "$settings" 2>/dev/null)} # or the one before
if [ -n "$namespace" ] && others | grep -q '^EPUCK_ARGS='; then
  echo "robot-keys: $settings sets EPUCK_ARGS already: add -r __ns:=$namespace there and leave --namespace out" >&2
  exit 1
fi
getent passwd epuck >/dev/null || # the package, which comes after the keys, takes this user
  useradd --system --user-group --home-dir /var/lib/epuck-driver --no-create-home --shell /usr/sbin/nologin epuck
[ -d /etc/epuck-driver ] || install -d -m 755 /etc/epuck-driver
mkdir -p "$keys.new/enclaves$enclave"
cp "$folder"/*.pem "$folder"/*.p7s "$keys.new/enclaves$enclave/"
chown -R epuck:epuck "$keys.new"
find "$keys.new" -type f -exec chmod 600 {} +
{ others && lines "$enclave" "$namespace"; } >"$settings.new"
replace
