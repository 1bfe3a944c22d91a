#!/bin/sh
# Format, lint and types beside the tests, each with a say in the exit code. Arguments go to vitest.
cd "$(dirname "$0")/.." || exit
cache=node_modules/.cache
mkdir -p "$cache"
failed=

prettier --check --log-level warn --cache --cache-location "$cache/formatted" . & format=$!
oxlint --type-aware --deny-warnings & lint=$!
{ tsc -p test/tsconfig.json --incremental --tsBuildInfoFile "$cache/types.tsbuildinfo" && tsc -p src/pages/browser/tsconfig.json; } & types=$!
trap 'kill $format $lint $types 2> /dev/null' INT TERM
vitest run -c test/vitest.config.ts "$@" || failed=tests

wait $format || failed="$failed format"
wait $lint || failed="$failed lint"
wait $types || failed="$failed types"
[ -z "$failed" ] || { echo "failed: ${failed# }" >&2; exit 1; }
