# docker build --tag entitlements-service . — see docs/operations/install.md. `npm run test:image` runs these stages without Docker.
ARG NODE=24.21.0-bookworm-slim

# The built files and the packages are the same for all platforms, so they are made only once, on the platform of the builder.
FROM --platform=$BUILDPLATFORM node:${NODE} AS build
WORKDIR /build
COPY . .
RUN npm ci
RUN npm run release -- --trial

FROM --platform=$BUILDPLATFORM node:${NODE} AS packages
WORKDIR /app
COPY --from=build /build/dist/release/entitlements-service ./
RUN npm ci --omit=optional
# Deletes Prisma's query compilers for other databases, and files that only compilers and debuggers read.
RUN find node_modules/@prisma/client/runtime -name 'query_compiler_*' ! -name '*.postgresql.*' -delete
RUN find node_modules -type f '(' -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' ')' -delete

FROM node:${NODE}
WORKDIR /app
COPY --from=packages /app ./
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 WORKER_PORT=4000
USER 10001:10001
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/src/cli/entitlements-service.js"]
CMD ["start"]
