# The image of the service; docker-compose.yml runs all of it.
#
# The base is pinned by its tag. To pin its bytes as well, put the digest behind the tag in both lines, as in
# node:20.20.2-bookworm-slim@sha256:…; `docker buildx imagetools inspect node:20.20.2-bookworm-slim` prints it.

# What runs later: dependencies without the tools of development, the SQLite driver compiled for this very system. The
# full image has the compiler; its Node and its Debian are those of the slim one. "npm install --no-save" takes the
# versions of the lock file as "npm ci" does, but does not ask it for the optional packages of every other platform.
FROM node:20.20.2-bookworm AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY backend/package.json backend/
COPY widget/package.json widget/
RUN npm install --no-save --workspace=backend --omit=dev
# From the headers that are in the image, so that nothing is taken from elsewhere; then without what only compiling needs.
RUN npm_config_build_from_source=true npm_config_nodedir=/usr/local \
      npm rebuild better-sqlite3 --ignore-scripts=false \
    && rm -rf node_modules/better-sqlite3/deps node_modules/better-sqlite3/build/Release/obj*

FROM node:20.20.2-bookworm AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY backend/package.json backend/
COPY widget/package.json widget/
RUN npm install --no-save --workspace=backend --workspace=widget --include=dev
COPY tsconfig.json ./
COPY backend/tsconfig.json backend/
COPY backend/src backend/src
RUN node_modules/.bin/tsc -p backend
COPY widget/build.mjs widget/
COPY widget/src widget/src
RUN node widget/build.mjs

FROM node:20.20.2-bookworm-slim
# A container is reached from outside of it; docker-compose.yml decides from where.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=dependencies /app ./
COPY --from=build /app/backend/dist backend/dist
COPY --from=build /app/widget/dist widget/dist
COPY backend/openapi backend/openapi
COPY backend/assets backend/assets
# The operator command by its name, and the only folder that is written to (on SQLite; with MySQL nothing is).
RUN printf '#!/bin/sh\nexec node /app/backend/dist/cli/passbell.js "$@"\n' > /usr/local/bin/passbell \
    && chmod 755 /usr/local/bin/passbell \
    && install -d -o node -g node -m 700 /data
VOLUME /data
# The user "node", by number so that a cluster can see that it is not root.
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "backend/dist/main.js"]
