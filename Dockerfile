# syntax=docker/dockerfile:1
# One image for every process: `api`, `worker`, `migrate` and the operator's other commands
# (ops/docker/entrypoint.sh). docker-compose.yml runs them together.

# The release of .nvmrc. docs/deploy.md has the command that pins it to a digest.
ARG NODE_IMAGE=node:26.10-bookworm-slim

FROM ${NODE_IMAGE} AS base
WORKDIR /app

# Only the files that npm reads: the layers of `npm ci` stay cached until one of them changes.
FROM base AS manifests
COPY . .
RUN find . -type f ! -name package.json ! -name package-lock.json ! -name .npmrc -delete \
  && find . -type d -empty -delete

# Without install scripts: `prepare` would build too early, and the others download unneeded files.
FROM base AS build
COPY --from=manifests /app ./
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --omit=dev
COPY . .
RUN npm run build
# Only the files that run, without sources, types and tests.
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
RUN mkdir /built \
  && tar -cf - dist apps/dashboard/dist/site prisma/migrations | tar -xf - -C /built

# Without peer dependencies: one of Prisma's is the compiler, which has 27 MB. The bundle has the parts of Prisma's
# runtime that PostgreSQL needs.
FROM base AS dependencies
COPY --from=manifests /app ./
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --omit=dev --legacy-peer-deps \
    -w @switchboard/api -w @switchboard/worker -w @switchboard/cli \
  && rm -r node_modules/@prisma/client/runtime

FROM base AS runtime
ENV NODE_ENV=production \
    HOST=:: \
    PORT=3000 \
    METRICS_PORT=9464 \
    OPS_PORT=9464
COPY --from=dependencies /app ./
COPY --from=build /built ./
COPY ops/docker/ ops/docker/
# For the metric switchboard_build_info: docker build --build-arg SWITCHBOARD_COMMIT=$(git rev-parse HEAD)
ARG SWITCHBOARD_COMMIT=unknown
RUN printf '{"commit":"%s"}\n' "$SWITCHBOARD_COMMIT" > build-info.json
# A new volume at this path belongs to the user of the image.
RUN install -d -o 1000 -g 1000 -m 0700 /var/lib/switchboard-media
# A number, so that Kubernetes can check that it is not root. This user can write no file of the image.
USER 1000:1000
EXPOSE 3000 9464
# Checks whether the process runs. Proxies check whether it can serve: /health/ready.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "ops/docker/check-health.mjs", "/health/live"]
ENTRYPOINT ["sh", "ops/docker/entrypoint.sh"]
CMD ["api"]
