import { databasePasswords, type Config } from './config/index.ts'
import { SECRET_NAME } from './lib/secret-texts.ts'
import type { McpServers } from './tool/mcp/index.ts'

/** Secrets that no tool may return: provider keys and credentials for other servers. */
export function secretsOf(
  { providers, searchKeys, otlp, databaseUrl, clusterSecret, temporal }: Config,
  servers: McpServers,
): (string | undefined)[] {
  const keys = secretValues(Object.entries(providers).map(([name, value = '']) => [name, value]))
  const given = Object.values(servers).flatMap((server) =>
    server.transport === 'stdio'
      ? [...secretValues(Object.entries(server.env)), ...secretValues(server.args.map((one) => one.split(/=(.*)/s)))]
      : [...secretValues(Object.entries(server.headers)).flatMap(wordsOf), server.oauth?.clientSecret],
  )
  const traces = (otlp?.headers ?? '').split(',').map((one) => one.split(/=(.*)/s)[1] ?? '')
  return [
    ...keys,
    ...searchKeys,
    ...given,
    ...traces.flatMap(wordsOf),
    clusterSecret,
    ...[...temporal.values()].map(({ apiKey }) => apiKey),
    ...databasePasswords(databaseUrl),
  ]
}

/** A token is a secret with and without `Bearer`. */
const wordsOf = (header = ''): string[] => [header, ...header.split(' ')]

const secretValues = (named: readonly (readonly string[])[]): (string | undefined)[] =>
  named.flatMap(([name = '', value]) => (SECRET_NAME.test(name) ? [value] : []))
