#!/usr/bin/env bash
# What a newcomer does: clones the last commit into an empty folder and runs `npm start` and `npm test`, with no Node but
# the one given.
#
#   scripts/fresh-clone.sh [--start-only] [path to a node]
set -euo pipefail

commands=(start test)
if [ "${1:-}" = --start-only ]; then
  commands=(start)
  shift
fi
node=$(command -v "${1:-node}")
# Inside another fresh clone, the npm on the path is the wrapper made below; npm itself says where it really is.
npm=${npm_execpath:-}
case "$npm" in
  *npm-cli.js) ;;
  *) npm=$(realpath "$(command -v npm)") ;;
esac
repository=$(cd "$(dirname "$0")/.." && pwd)

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
git clone --quiet "$repository" "$folder/clone"
mkdir "$folder/bin"
ln -s "$node" "$folder/bin/node"
printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "$folder/bin/node" "$npm" > "$folder/bin/npm"
chmod +x "$folder/bin/npm"

cd "$folder/clone"
# What npm tells the scripts it runs, and the tier of the run that called, are not for the clone.
for name in $(compgen -e | grep -E '^(npm_(lifecycle|package|command|execpath|node)|NODE_OPTIONS|DAYBOOK_|INIT_CWD)' || true); do unset "$name"; done
export PATH="$folder/bin:$PATH"
echo "fresh clone of $(git rev-parse --short HEAD) with Node $(node --version)"
for command in "${commands[@]}"; do
  npm "$command"
done
# The set-up must leave no trace that git sees.
test -z "$(git status --porcelain)"
