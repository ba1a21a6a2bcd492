# The image of the service. docker-compose.yml runs it with its databases.
#
# No step needs a compiler. The base image is pinned by tag; renovate.json also pins its digest.

# Production dependencies, without files that a running service never loads. "npm install --no-save" uses the versions of the lock file
# like "npm ci", but without the optional packages of other platforms.
FROM node:24.21.0-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY backend/package.json backend/
COPY widget/package.json widget/
RUN npm install --no-save --workspace=backend --omit=dev
COPY scripts/prune-modules.mjs scripts/
RUN node scripts/prune-modules.mjs node_modules && rm -r scripts package-lock.json .npmrc

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY backend/package.json backend/
COPY widget/package.json widget/
RUN npm install --no-save --workspace=backend --workspace=widget --include=dev
COPY tsconfig.json ./
COPY backend/tsconfig.json backend/build.mjs backend/
COPY backend/src backend/src
RUN node backend/build.mjs
COPY widget/build.mjs widget/
COPY widget/src widget/src
RUN node widget/build.mjs
# The packages of the clients, which the service offers under /downloads.
COPY scripts scripts
COPY n8n-nodes n8n-nodes
COPY clients clients
COPY zapier-app zapier-app
RUN node scripts/pack-downloads.mjs

FROM node:24.21.0-bookworm-slim
# Listens on all interfaces of the container. docker-compose.yml restricts access.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=dependencies /app ./
COPY --from=build /app/backend/dist backend/dist
COPY --from=build /app/widget/dist widget/dist
COPY --from=build /app/dist/downloads dist/downloads
COPY backend/openapi backend/openapi
COPY backend/assets backend/assets
# The guides, and the images and files that they link to, which the service serves.
COPY LICENSE README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md SUPPORT.md ./
COPY docs/*.md docs/*.png docs/*.svg docs/
COPY docs/monitoring docs/monitoring
COPY docs/benchmarks docs/benchmarks
COPY docs/decisions/database-and-queue.md docs/decisions/providers.md docs/decisions/
COPY widget/src/languages/en.ts widget/src/languages/
COPY examples examples
COPY clients/node/README.md clients/node/
COPY clients/python/README.md clients/python/
COPY clients/better-auth/README.md clients/better-auth/
COPY clients/node-red/README.md clients/node-red/
COPY clients/activepieces/README.md clients/activepieces/
COPY n8n-nodes/README.md n8n-nodes/LICENSE n8n-nodes/
COPY n8n-nodes/examples n8n-nodes/examples
COPY n8n-nodes/docs n8n-nodes/docs
# Puts the operator command on the PATH, creates the only writable folder (for SQLite; unused with MySQL), and removes npm.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn-* \
    && printf '#!/bin/sh\nexec node --enable-source-maps /app/backend/dist/cli/passbell.js "$@"\n' > /usr/local/bin/passbell \
    && chmod 755 /usr/local/bin/passbell \
    && install -d -o node -g node -m 700 /data
VOLUME /data
# The form of the operator command in help texts and hints. Change it if you do not use docker compose.
ENV PASSBELL_COMMAND="docker compose exec api passbell"
# The user "node", by number so that Kubernetes can verify that it is not root.
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "backend/dist/main.js"]
