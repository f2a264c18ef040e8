import { randomBytes } from 'node:crypto'
import { Client, escapeIdentifier } from 'pg'

export interface FreshDatabase {
  readonly url: string
  readonly name: string
  /** Throws everybody out and removes it. */
  drop(): Promise<void>
}

export interface FreshOptions {
  /** the server; default: the one of this run of tests */
  readonly server?: string
  /** the database it is a copy of; default: an empty one */
  readonly template?: string
}

/** A database of its own on the server of the tests. */
export async function freshDatabase(options: FreshOptions = {}): Promise<FreshDatabase> {
  const server = options.server ?? testServer()
  const name = `segno_${process.pid}_${randomBytes(6).toString('hex')}`
  const template = options.template ?? 'template0'
  await run(server, `CREATE DATABASE ${escapeIdentifier(name)} TEMPLATE ${escapeIdentifier(template)}`)
  return {
    name,
    url: urlOf(server, name),
    drop: async () => void (await run(server, `DROP DATABASE IF EXISTS ${escapeIdentifier(name)} WITH (FORCE)`)),
  }
}

/** The URL of a database of this name, which is made if there is none: a copy of one that was brought up to date. */
export async function ensureDatabase(name: string): Promise<string> {
  const server = testServer()
  const template = process.env['SEGNO_TEST_POSTGRES_TEMPLATE'] ?? 'template0'
  try {
    await run(server, `CREATE DATABASE ${escapeIdentifier(name)} TEMPLATE ${escapeIdentifier(template)}`)
  } catch (error) {
    if ((error as { code?: string }).code !== '42P04') throw error
  }
  return urlOf(server, name)
}

/** Removes all databases whose names begin so. */
export async function dropDatabases(prefix: string): Promise<void> {
  const server = testServer()
  const found = await run<{ datname: string }>(
    server,
    `SELECT datname FROM pg_database WHERE starts_with(datname, '${prefix}')`,
  )
  for (const { datname } of found)
    await run(server, `DROP DATABASE IF EXISTS ${escapeIdentifier(datname)} WITH (FORCE)`)
}

const urlOf = (server: string, name: string): string => Object.assign(new URL(server), { pathname: `/${name}` }).href

/** The URL of the server that this run of tests started, or was given. */
export function testServer(): string {
  const url = process.env['SEGNO_TEST_POSTGRES_URL']
  if (!url) throw new Error('These tests need a server: run them in the vitest project `postgres`')
  return url
}

/** A connection per server and process, which keeps nobody from ending while nothing is asked. */
interface Admin {
  readonly client: Client & { ref(): void; unref(): void }
  asked: number
}
const admins = new Map<string, Promise<Admin>>()

async function run<Row>(server: string, sql: string): Promise<Row[]> {
  const admin = await adminOf(server)
  admin.asked++
  admin.client.ref()
  try {
    return (await admin.client.query(sql)).rows as Row[]
  } finally {
    if (--admin.asked === 0) admin.client.unref()
  }
}

function adminOf(server: string): Promise<Admin> {
  const known = admins.get(server)
  if (known) return known
  const made = connect(server)
  admins.set(server, made)
  made.catch(() => admins.delete(server))
  return made
}

async function connect(server: string): Promise<Admin> {
  const client = new Client({ connectionString: server }) as Admin['client']
  client.on('error', () => admins.delete(server))
  client.on('end', () => admins.delete(server))
  await client.connect()
  return { client, asked: 0 }
}
