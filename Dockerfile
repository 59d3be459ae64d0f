# syntax=docker/dockerfile:1
FROM node:24-slim AS build
WORKDIR /vrata
COPY . .
# The base image has the Node that the package "node" would bring; its install script is not needed here.
RUN npm ci --ignore-scripts && node scripts/build.ts && npm prune --omit=dev --ignore-scripts \
  && rm -rf node_modules/node node_modules/.bin/node

FROM node:24-slim
ENV NODE_ENV=production VRATA_DATA_DIR=/data HOST=0.0.0.0 PORT=3000
WORKDIR /vrata
COPY --from=build /vrata/package.json ./
COPY --from=build /vrata/node_modules node_modules
# What is native stays in node_modules; everything else stands in the bundle.
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
