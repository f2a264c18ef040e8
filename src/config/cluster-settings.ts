import type { Settings } from './config.ts'

/** Too long to guess from a signed request. */
const SECRET_CHARS = 16

/** Settings of several nodes on one PostgreSQL database. Faults never quote a value, because it may contain a secret. */
export function readClusterSettings(env: Settings, faults: string[]) {
  const databaseUrl = env['SEGNO_DATABASE_URL']?.trim() || undefined
  const clusterSecret = env['SEGNO_CLUSTER_SECRET']?.trim() || undefined
  const nodeUrl = env['SEGNO_NODE_URL']?.trim().replace(/\/$/, '') || undefined
  if (databaseUrl !== undefined && !isDatabaseUrl(databaseUrl))
    faults.push(
      'SEGNO_DATABASE_URL is not the address of a database, expected one such as postgres://user:password@host:5432/segno ' +
        '(signs such as @ : / ? # in the password are written as %40 %3A %2F %3F %23)',
    )
  if (clusterSecret !== undefined && clusterSecret.length < SECRET_CHARS)
    faults.push(
      `SEGNO_CLUSTER_SECRET is too short, expected at least ${SECRET_CHARS} characters that nobody can guess, such as openssl rand -hex 32 prints`,
    )
  if (nodeUrl !== undefined && !isOrigin(nodeUrl))
    faults.push(
      'SEGNO_NODE_URL is not an address without a path, expected one such as http://10.0.0.5:4747, where other nodes reach this one',
    )
  if ((clusterSecret === undefined) !== (nodeUrl === undefined))
    faults.push(
      `${clusterSecret === undefined ? 'SEGNO_NODE_URL' : 'SEGNO_CLUSTER_SECRET'} is set without ` +
        `${clusterSecret === undefined ? 'SEGNO_CLUSTER_SECRET' : 'SEGNO_NODE_URL'}: several nodes need both, and one node needs neither`,
    )
  if (databaseUrl === undefined && (clusterSecret !== undefined || nodeUrl !== undefined))
    faults.push('SEGNO_CLUSTER_SECRET and SEGNO_NODE_URL are for several nodes, which need SEGNO_DATABASE_URL')
  return {
    /** never shown as it is, because it may contain a password */
    databaseUrl,
    /** shared by all nodes */
    clusterSecret,
    /** where other nodes reach this one */
    nodeUrl,
  }
}

function isDatabaseUrl(text: string): boolean {
  const url = URL.parse(text)
  if (!url || !['postgres:', 'postgresql:'].includes(url.protocol)) return false
  // For a socket, the folder is in the query.
  return (url.hostname !== '' || url.searchParams.has('host')) && url.pathname.length > 1
}

function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  return ['http:', 'https:'].includes(url?.protocol ?? '') && url?.origin === text.toLowerCase()
}

/** The passwords in a database URL, both encoded and decoded. */
export function databasePasswords(databaseUrl: string | undefined): string[] {
  const url = URL.parse(databaseUrl ?? '')
  if (!url) return []
  const written = [url.password, url.searchParams.get('password') ?? '']
  return [...new Set([...written, ...written.map(decoded)])].filter((one) => one !== '')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A database URL without user and password. */
export function shownDatabase(databaseUrl: string): string {
  const url = URL.parse(databaseUrl)
  return url ? `postgres://${url.host}${url.pathname}` : '(set)'
}
