import type { AuditRecord } from '../../contract/audit.ts'
import type { Extras } from '../accounts.ts'
import { oneAtATime } from '../../lib/one-at-a-time.ts'
import type { Claim, Repeated } from '../inbox.ts'
import { recordOne } from './audit.ts'
import { blobsIn } from './blobs.ts'
import { asStartProblem, checkServer } from './check-server.ts'
import { findClaim, putClaim } from './claims.ts'
import { openDatabase, type Database, type DatabaseOptions, type Query } from './database.ts'
import type { KnownSince } from '../required-version.ts'
import { MIGRATIONS } from './migrations/index.ts'
import { migrate, type MigrateOptions, type Migration } from './migrations/migrate.ts'
import { appendOutbox } from './outbox.ts'
import { ownedIn } from './owned.ts'
import { readEvents } from './read-events.ts'
import { canCompareVectors } from './vectors.ts'

/** Which of the nodes on one database this is. */
export interface Node {
  /** changes when the node loses its lease, and then it owns nothing */
  id(): string
}

export interface PostgresOptions extends DatabaseOptions {
  readonly node: Node
  /** how long a renewal may wait for its answer */
  readonly nodeMs?: number
  /** how many of the connections are for commits alone */
  readonly commitConnections?: number
  /** how often watched sessions of other nodes are read */
  readonly watchMs?: number
  readonly migrations?: readonly Migration[]
  readonly migrating?: MigrateOptions
  readonly knownSince?: KnownSince
}

export type Base = Awaited<ReturnType<typeof openBase>>

/** What the roles of a store share. */
export async function openBase(options: PostgresOptions) {
  const database = openDatabase(options)
  try {
    const { node, migrations = MIGRATIONS } = options
    await checkServer(database.query)
    const schema = await migrate(database, migrations, options.migrating)
    const version = migrations.length
    const events = readEvents(database.query)
    const hasVectors = await canCompareVectors(database.query)
    return {
      ...database,
      schema,
      node,
      version,
      events,
      hasVectors,
      blobs: blobsIn(database.query, events),
      owned: ownedIn({ query: database.query, node, version }),
      withExtras: withExtrasIn(database),
    }
  } catch (error) {
    await database.close()
    throw asStartProblem(error)
  }
}

/**
 * Writes something that is in no log, once per claim, with its audit records and outbox events; neither, if it turns
 * out false or undefined.
 */
function withExtrasIn({ transaction }: Database) {
  // Requests with the same claim run in the order they came.
  const inTurn = oneAtATime<unknown>()
  return <T>(more: Extras | undefined, at: number, write: (query: Query) => Promise<T>): Promise<T | Repeated> => {
    const work = (): Promise<T | Repeated> =>
      transaction(async (query) => {
        const taken = more?.claim && (await takeClaim(query, more.claim, at))
        if (taken) return { kind: 'repeated', claim: taken } as const
        const result = await write(query)
        if (result === false || result === undefined) return result
        await record(query, more?.audit ?? [])
        await appendOutbox(query, more?.outbox)
        return result
      })
    return more?.claim ? (inTurn(more.claim.key, work) as Promise<T | Repeated>) : work()
  }
}

/** Takes a key, or returns the earlier claim. */
async function takeClaim(query: Query, claim: Claim, at: number): Promise<Claim | undefined> {
  return (await putClaim(query, claim, at)) ? undefined : findClaim(query, claim.key)
}

/** Inserts one audit row per tenant, to be sealed later. */
export async function record(query: Query, records: readonly AuditRecord[]): Promise<void> {
  for (const ofOne of Map.groupBy(records, ({ tenant }) => tenant).values()) await recordOne(query, ofOne)
}
