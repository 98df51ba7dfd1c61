# syntax=docker/dockerfile:1
# One image for every process: `api`, `worker`, `migrate` and the operator's other commands
# (ops/docker/entrypoint.sh). docker-compose.yml shows how they go together.

# The release of .nvmrc. docs/deploy.md has the command that pins it to a digest.
ARG NODE_IMAGE=node:24.21-bookworm-slim

FROM ${NODE_IMAGE} AS base
WORKDIR /app

# What npm reads, and nothing else: the layers of `npm ci` stay cached until one of these changes.
FROM base AS manifests
COPY . .
RUN find . -type f ! -name package.json ! -name package-lock.json ! -name .npmrc -delete \
  && find . -type d -empty -delete

# Install scripts are off: `prepare` would build too early, and the others fetch what nothing needs.
FROM base AS build
COPY --from=manifests /app ./
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts
COPY . .
RUN npm run build
# Only what runs: no sources, types or tests.
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
RUN mkdir /built \
  && find apps packages prisma/migrations -name node_modules -prune -o -type f \
    \( -path '*/dist/*' -o -path 'prisma/migrations/*' \) \
    ! -name '*.d.ts' ! -name '*.map' ! -name .tsbuildinfo -print \
  | tar -cf - -T - | tar -xf - -C /built

# Peers are left out because Prisma names its CLI as one, which is 200 MB and only builds.
FROM base AS dependencies
COPY --from=manifests /app ./
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --omit=dev --legacy-peer-deps \
    -w @switchboard/api -w @switchboard/worker -w @switchboard/cli \
  && find node_modules/@prisma/client/runtime -type f \
    \( -name '*cockroachdb*' -o -name '*mysql*' -o -name '*sqlite*' -o -name '*sqlserver*' \) -delete

FROM base AS runtime
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    METRICS_PORT=9464 \
    OPS_PORT=9464
COPY --from=dependencies /app ./
COPY --from=build /built ./
COPY ops/docker/ ops/docker/
# For the metric switchboard_build_info: docker build --build-arg SWITCHBOARD_COMMIT=$(git rev-parse HEAD)
ARG SWITCHBOARD_COMMIT=unknown
RUN printf '{"commit":"%s"}\n' "$SWITCHBOARD_COMMIT" > build-info.json
# By number, so that Kubernetes can see that it is not root. Nothing in the image is theirs to write.
USER 1000:1000
EXPOSE 3000 9464
# Whether the process lives. Whether it can serve is for whoever routes to it: /health/ready.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "ops/docker/check-health.mjs", "/health/live"]
ENTRYPOINT ["sh", "ops/docker/entrypoint.sh"]
CMD ["api"]
