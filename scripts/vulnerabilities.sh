#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks for known vulnerabilities in the used packages of Go modules (govulncheck; the database is Go's, or GOVULNDB,
# which may be a file:// address) and in the npm packages (npm audit). It fails if our code can reach one in Go, or if
# an npm package has a high or critical one. If a database can't be reached it prints "not checked" with the reason and
# continues; EPUCK_VULNERABILITIES=required makes that a failure.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/tools.sh
tool=${GOVULNCHECK:-$(govulncheck)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
say() { echo "vulnerabilities: $*"; }
not_checked() { # what, why
  say "$1: not checked: $2"
  if [ "${EPUCK_VULNERABILITIES:-}" = required ]; then failed=1; fi
}

database=()
if [ -n "${GOVULNDB:-}" ]; then database=(-db "$GOVULNDB"); fi
# Checking packages takes a second; the call graph is only analysed if a package has a finding.
status=0
"$tool" "${database[@]}" -scan package ./... >"$work/out" 2>"$work/problem" || status=$?
if [ "$status" = 3 ]; then
  cat "$work/out"
  status=0
  "$tool" "${database[@]}" ./... >"$work/out" 2>"$work/problem" || status=$?
fi
case $status in
  0) say "Go modules: none that this code reaches" ;;
  3) cat "$work/out"; failed=1 ;;
  *)
    if grep -qE '^(govulncheck: )?(fetching vulnerabilities|creating client):' "$work/problem"; then
      not_checked "Go modules" "$(tail -n 1 "$work/problem")"
    else
      cat "$work/problem" >&2
      failed=1
    fi
    ;;
esac

for folder in web/internal/page ros2/interop/testdata/foxglove bag/record/testdata/foxglove; do
  # npm's status is 1 both for a finding and for an unreachable database: its output decides.
  (cd "$folder" && npm audit --json --package-lock-only --loglevel=silent) >"$work/audit" 2>"$work/problem" || true
  status=0
  # shellcheck disable=SC2016 # JavaScript's own
  node -e '
    let a; try { a = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")); } catch { a = {}; }
    if (!a.metadata?.vulnerabilities) { console.log(a.message ?? a.error?.summary ?? "npm gave no report"); process.exit(2); }
    const grave = ["high", "critical"], found = Object.values(a.vulnerabilities ?? {});
    for (const v of found) console.log(`${v.severity}: ${v.name} ${v.range}: ${v.via.map((x) => x.title ?? x).join(", ")}`);
    if (!found.length) console.log("none known");
    process.exit(found.some((v) => grave.includes(v.severity)) ? 1 : 0);' "$work/audit" >"$work/out" || status=$?
  case $status in
    2) not_checked "npm packages of $folder" "$(head -n 1 "$work/out")" ;;
    *) while read -r line; do say "npm packages of $folder: $line"; done <"$work/out"; [ "$status" = 0 ] || failed=1 ;;
  esac
done
exit "$failed"
