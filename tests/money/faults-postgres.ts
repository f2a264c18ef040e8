import { withClient } from '../support/postgres/with-client.ts'
import { storeSettings } from '../support/store-under-test.ts'
import type { MoneyFault } from './faults.ts'

interface Planted {
  /** the function of the database that is changed */
  readonly of: string
  readonly from: RegExp
  readonly to: string
}

const FUNCTIONS: Partial<Record<MoneyFault, Planted>> = {
  'settled twice': { of: 'settle_one', from: /\+ of_(tokens|cost)/g, to: '+ 2 * of_$1' },
  'what is set aside does not count': { of: 'hold', from: /\+ now_is\.held_\w+ >/g, to: '>' },
  'calls that run do not count': { of: 'within_quota', from: />= m\.concurrent/g, to: '>= m.concurrent + 1000' },
  'calls of the hour do not count': { of: 'within_quota', from: />= m\.per_hour/g, to: '>= m.per_hour + 1000' },
}

/** Changes single functions of the database of a home, where it is on PostgreSQL. */
export async function plantOnPostgres(home: string, fault: MoneyFault | undefined): Promise<void> {
  const planted = fault && FUNCTIONS[fault]
  const { SEGNO_DATABASE_URL: url } = await storeSettings(home)
  if (!planted || url === undefined) return
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ source: string }>('SELECT pg_get_functiondef($1::regproc) AS source', [
      planted.of,
    ])
    const source = rows[0]?.source ?? ''
    const changed = source.replace(planted.from, planted.to)
    if (changed === source) throw new Error(`${planted.of} has nothing to change for "${fault}"`)
    await client.query(changed)
  })
}
