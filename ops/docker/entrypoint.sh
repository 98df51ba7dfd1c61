#!/bin/sh
# docker run switchboard <command>. Each command replaces this shell, so that signals reach it.
set -eu

command="${1:-}"
[ $# -gt 0 ] && shift
case "$command" in
  api | worker)
    # A larger young generation: see docs/decisions/fast-path.md.
    if [ "$command" = api ]; then flags=--max-semi-space-size=64; else flags=; fi
    # shellcheck disable=SC2086
    exec node $flags "dist/$command.js" "$@"
    ;;
  migrate | doctor | after-restore | rotate-secrets | reset-password | retention)
    exec node "dist/$command.js" "$@"
    ;;
  *)
    echo "Unknown command '$command': api, worker, migrate, doctor, after-restore, rotate-secrets, reset-password or retention." >&2
    exit 64
    ;;
esac
