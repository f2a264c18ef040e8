import type { DatabaseSync, StatementSync } from 'node:sqlite'

export interface Hit {
  readonly key: number
  /** lower is better */
  readonly rank: number
}

interface Tenant {
  readonly table: string
  readonly insert: StatementSync
  readonly remove: StatementSync
  readonly find: StatementSync
  readonly securely: StatementSync
}

/** Pages of the index that are rewritten in one step: a few milliseconds. */
const PAGES = 64
/** Belongs to no chunk. */
const NO_KEY = 0

/** The words of passages: a table for each tenant, because how much a word says depends on all texts of a table. */
export function indexWords(db: DatabaseSync) {
  db.exec(`CREATE TABLE IF NOT EXISTS tenants
    (num INTEGER PRIMARY KEY, tenant TEXT NOT NULL UNIQUE, removals INTEGER NOT NULL DEFAULT 0)`)
  const numOf = db.prepare('SELECT num FROM tenants WHERE tenant = ?')
  const insertTenant = db.prepare('INSERT INTO tenants (tenant) VALUES (?) RETURNING num')
  const mark = db.prepare('UPDATE tenants SET removals = removals + 1 WHERE tenant = ?')
  const unmark = db.prepare('UPDATE tenants SET removals = 0 WHERE tenant = ? AND removals = ?')
  const marked = db.prepare('SELECT tenant, removals FROM tenants WHERE removals > 0')
  const changes = db.prepare('SELECT total_changes() AS n')
  const known = new Map<string, Tenant>()

  function use(num: number): Tenant {
    const table = `words_${num}`
    return {
      table,
      insert: db.prepare(`INSERT INTO ${table} (rowid, place, text) VALUES (?, ?, ?)`),
      securely: db.prepare(`INSERT INTO ${table} (${table}, rank) VALUES ('secure-delete', ?)`),
      remove: db.prepare(`DELETE FROM ${table} WHERE rowid = ?`),
      find: db.prepare(
        `SELECT rowid AS key, rank FROM ${table} WHERE ${table} MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rank`,
      ),
    }
  }

  function tenantOf(tenant: string): Tenant | undefined {
    const before = known.get(tenant)
    if (before) return before
    const row = numOf.get(tenant) as { num: number } | undefined
    if (!row) return undefined
    const used = use(row.num)
    known.set(tenant, used)
    return used
  }

  /** Not remembered before the transaction is over, which may fail. */
  function makeTenant(tenant: string): Tenant {
    const { num } = insertTenant.get(tenant) as { num: number }
    db.exec(
      `CREATE VIRTUAL TABLE words_${num} USING fts5(place, text, tokenize = "porter unicode61 remove_diacritics 2");
       INSERT INTO words_${num} (words_${num}, rank) VALUES ('secure-delete', 1)`,
    )
    return use(num)
  }

  const total = (): number => (changes.get() as { n: number }).n

  return {
    put(tenant: string, key: number, place: string, text: string): void {
      ;(tenantOf(tenant) ?? makeTenant(tenant)).insert.run(BigInt(key), place, text)
    },
    /** At once, or, if it is much, only marked as removed until `compact`. */
    remove(tenant: string, keys: readonly number[], isMuch: boolean): void {
      const of = tenantOf(tenant)
      if (isMuch) of?.securely.run(0n)
      for (const key of keys) of?.remove.run(BigInt(key))
      if (isMuch) of?.securely.run(1n)
      mark.run(tenant)
    },
    find(
      tenant: string,
      terms: string,
      from: number,
      to: number,
      limit: number,
      mayBeFound: (key: number) => boolean,
    ): Hit[] {
      const hits: Hit[] = []
      const rows = tenantOf(tenant)?.find.iterate(terms, BigInt(from), BigInt(to)) ?? []
      for (const row of rows as Iterable<unknown> as Iterable<Hit>) {
        if (!mayBeFound(row.key)) continue
        if (hits.push(row) === limit) break
      }
      return hits
    },
    /**
     * Rewrites the words of tenants from which something was removed: words that are only marked, and beginnings of
     * others where pages of FTS5 begin. It rewrites only what there is something to merge with, so a row is added first.
     */
    *compact(): Generator {
      for (const { tenant, removals } of marked.all() as { tenant: string; removals: number }[]) {
        const { table, insert, remove } = tenantOf(tenant) as Tenant
        const merge = db.prepare(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`)
        remove.run(NO_KEY)
        insert.run(NO_KEY, 'x', '')
        for (let pages = -PAGES, before = -2; total() - before >= 2; pages = PAGES) {
          yield
          before = total()
          merge.run(pages)
        }
        remove.run(NO_KEY)
        // Unless something was removed meanwhile.
        unmark.run(tenant, removals)
      }
    },
  }
}
