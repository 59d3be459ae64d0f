# syntax=docker/dockerfile:1
# The Node.js of package.json, pinned by digest so that a changed tag does not change the image. Another base:
# docker build --build-arg BASE=…
ARG BASE=node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
FROM ${BASE} AS build
WORKDIR /vrata
COPY . .
# The base image has Node, so the install script of the package "node", which downloads it, is skipped.
RUN npm ci --ignore-scripts && node scripts/build.ts && npm prune --omit=dev --ignore-scripts \
  && rm -rf node_modules/node node_modules/.bin/node

FROM ${BASE}
ENV NODE_ENV=production VRATA_DATA_DIR=/data HOST=0.0.0.0 PORT=3000
WORKDIR /vrata
COPY --from=build /vrata/package.json ./
COPY --from=build /vrata/node_modules node_modules
# Native packages stay in node_modules; everything else is in the bundle.
COPY --from=build /vrata/server/package.json server/
COPY --from=build /vrata/server/dist server/dist
COPY --from=build /vrata/web/dist web/dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "server/dist/cli.js", "serve"]
