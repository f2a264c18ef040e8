import { startPostgres, type PostgresServer } from './start-postgres.ts'

let server: PostgresServer | undefined

/** One server for all tests of a run; the one of `SEGNO_TEST_POSTGRES_URL` if that is set. Workers inherit its URL. */
export async function setup(): Promise<void> {
  if (process.env['SEGNO_TEST_POSTGRES_URL']) return
  server = await startPostgres()
  process.env['SEGNO_TEST_POSTGRES_URL'] = server.url
  // Without a handler these end the process at once, and nothing that is to happen at its end does.
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
}

export async function teardown(): Promise<void> {
  if (!server) return
  await server.stop()
  server = undefined
  delete process.env['SEGNO_TEST_POSTGRES_URL']
}
