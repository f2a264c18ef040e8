FROM node:24-slim AS build
WORKDIR /segno
COPY . .
RUN npm ci && npm prune --omit=dev --ignore-scripts

FROM node:24-slim
ENV SEGNO_HOME=/data SEGNO_HOST=0.0.0.0 NODE_ENV=production
WORKDIR /segno
# Process 1 cannot end itself by a signal: it needs somebody before it.
RUN apt-get update && apt-get install --yes --no-install-recommends tini && rm -rf /var/lib/apt/lists/*
COPY --from=build /segno/node_modules node_modules
COPY --from=build /segno/dist dist
COPY --from=build /segno/package.json package.json
RUN mkdir /data && chown node /data
USER node
VOLUME /data
EXPOSE 4747
STOPSIGNAL SIGTERM
ENTRYPOINT ["tini", "--"]
CMD ["node", "dist/bin.js", "serve"]
