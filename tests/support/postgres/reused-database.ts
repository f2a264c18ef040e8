import { Client } from 'pg'
import { freshDatabase } from './fresh-database.ts'
import { openPostgres } from '../../../src/store/postgres/index.ts'

export interface ReusedDatabase {
  readonly url: string
  /** Asks it something, on a connection that outlives the test. */
  query(sql: string, values?: readonly unknown[]): Promise<unknown>
  /** Gives it back, for the next test. Everything that uses it has to be closed before. */
  giveBack(): Promise<void>
}

interface Free {
  readonly url: string
  readonly client: Client
}

/** Databases with the tables of a new one, which nobody uses now. Emptying one takes a tenth of making one. */
const free = new Map<Make, Free[]>()

/** Makes an empty database and returns its URL. */
type Make = () => Promise<string>
const onTheServer: Make = async () => (await freshDatabase()).url

/** A database as a new one is after it was brought up to date, of this test alone. */
export async function reusedDatabase(make: Make = onTheServer): Promise<ReusedDatabase> {
  const database = free.get(make)?.pop() ?? (await migratedDatabase(make))
  return {
    url: database.url,
    query: (sql, values = []) => database.client.query(sql, [...values]),
    async giveBack() {
      await database.client.query(EMPTY)
      free.set(make, [...(free.get(make) ?? []), database])
    },
  }
}

async function migratedDatabase(make: Make): Promise<Free> {
  const url = await make()
  const node = { id: () => 'migrator' }
  const { store } = await openPostgres({ url, node, connections: 1, connectMs: 10_000, statementMs: 60_000 })
  await store.close()
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  await client.query(KEEP)
  return { url, client }
}

/** Notes what a new database has in its tables. */
const KEEP = `
CREATE SCHEMA kept_by_tests;
CREATE TABLE kept_by_tests.rows (name text, rows json);
DO $$ DECLARE one text; found json; BEGIN
  FOR one IN SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP
    EXECUTE format('SELECT json_agg(t) FROM %I t', one) INTO found;
    INSERT INTO kept_by_tests.rows VALUES (one, found);
  END LOOP;
END $$`

const EMPTY = `
DO $$ DECLARE one record; BEGIN
  FOR one IN SELECT name, rows FROM kept_by_tests.rows LOOP
    EXECUTE format('DELETE FROM %I', one.name);
    IF one.rows IS NOT NULL THEN
      EXECUTE format('INSERT INTO %I SELECT * FROM json_populate_recordset(NULL::%I, $1)', one.name, one.name) USING one.rows;
    END IF;
  END LOOP;
  FOR one IN SELECT oid::regclass AS name FROM pg_class WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace LOOP
    PERFORM setval(one.name, 1, false);
  END LOOP;
END $$`
