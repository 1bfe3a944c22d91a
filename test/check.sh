#!/bin/sh
# Format, lint with types, and the tests side by side, each with a say in the exit code. Arguments go to vitest.
cd "$(dirname "$0")/.." || exit
cache=node_modules/.cache
mkdir -p "$cache"
failed=

prettier --check --log-level warn --cache --cache-location "$cache/formatted" . & format=$!
# The types are checked by the program that rules which need types have anyway. What is built, `npm run build` checks by tsc.
oxlint --type-aware --type-check --deny-warnings & lint=$!
trap 'kill $format $lint 2> /dev/null' INT TERM
vitest run -c test/vitest.config.ts "$@" || failed=tests

wait $format || failed="$failed format"
wait $lint || failed="$failed lint"
[ -z "$failed" ] || { echo "failed: ${failed# }" >&2; exit 1; }
