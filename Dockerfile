# syntax=docker/dockerfile:1
# The image of server and worker: `docker build -t hearth .`, then `docker run hearth start`, `… worker`, `… keys`, `… doctor`.
# It has no PostgreSQL of its own: set DATABASE_URL. What runs in it is what runs here; see docs/deploy.md.
FROM node:24-bookworm-slim AS build
WORKDIR /app
ENV CI=true
RUN npm install --global pnpm@12
COPY pnpm-lock.yaml pnpm-workspace.yaml .pnpmfile.mjs ./
RUN pnpm fetch
COPY . .
RUN deploy/build.sh

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
RUN install --directory --owner=node --group=node /data
WORKDIR /app
COPY --from=build /app/built ./
USER node
VOLUME /data
EXPOSE 8080 9091
# Node is process 1 and stops in order within ten seconds of a SIGTERM. It starts no other processes, so it needs no init.
STOPSIGNAL SIGTERM
HEALTHCHECK --start-period=30s --interval=10s --timeout=5s CMD ["node", "deploy/health.mjs"]
ENTRYPOINT ["node", "--max-semi-space-size=16", "packages/server/hearth.js"]
CMD ["start"]
