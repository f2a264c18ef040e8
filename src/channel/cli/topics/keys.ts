import { Option, type Command } from 'commander'
import type { Wire } from '../../../client/index.ts'
import type { KeyView } from '../../../contract/account.ts'
import { ROLES } from '../../../contract/actor.ts'
import { listed, subcommand, wholeNumber, type Answer, type Cli } from '../cli.ts'
import type { Reached } from '../reach.ts'

type Key = Wire<KeyView> & { readonly secret?: string }

const DAY_MS = 86_400_000

export function keysTopic(segno: Command, { looking }: Cli): void {
  const keys = segno.command('keys').description('keys that let others in')
  const example = 'segno keys add "web app" --user app --scope chat:* --days 90'
  subcommand(keys, 'add <name>', 'make a key; it is shown once', example)
    .option('--user <id>', 'who asks with this key (default: the owner of this machine)')
    .addOption(new Option('--role <role>', 'what it may do').choices(ROLES).default('user'))
    .option('--scope <permission...>', 'only these of what the role may, e.g. chat:read')
    .option('--tenant <name>', 'of which tenant (default: local); another one than your own needs operator')
    .option(
      '--operator',
      'it may also run the installation: the database, stored jobs, keys of all tenants, the whole audit log',
    )
    .option('--days <n>', 'after how many days it ends (default: never)', wholeNumber)
    .action(looking(addKey))
  subcommand(keys, 'ls', 'list the keys, without their secrets').action(looking(listKeys))
  subcommand(keys, 'rm <id>', 'revoke a key; streams open under it end, rounds go on').action(looking(removeKey))
}

interface NewKeyFlags {
  readonly user?: string
  readonly role?: string
  readonly scope?: readonly string[]
  readonly tenant?: string
  readonly days?: number
  readonly operator?: boolean
}

export async function addKey({ client }: Reached, name: string, flags: NewKeyFlags): Promise<Answer> {
  const { user: userId, scope: scopes, days, role, tenant, operator } = flags
  const expiresAt = days === undefined ? days : new Date(Date.now() + days * DAY_MS).toISOString()
  const body = { name, userId, role, tenant, scopes, operator, expiresAt }
  const key = await client.requestJson<Key>('POST', '/api/keys', { body, fields: ['id', 'secret'] })
  return { json: key, text: `${key.secret}\nThis is ${describe(key)}. It is shown only now: keep it somewhere safe.` }
}

export async function listKeys({ client }: Reached): Promise<Answer> {
  const none = 'There are no keys. Make one with: segno keys add <name>'
  return listed(await client.list<Key>('/api/keys'), describe, none)
}

export async function removeKey({ client }: Reached, id: string): Promise<Answer> {
  await client.requestEmpty('DELETE', `/api/keys/${encodeURIComponent(id)}`)
  return { json: { id, revoked: true }, text: `Key ${id} is revoked.` }
}

function describe({ id, name, tenant, userId, role, scopes, operator, expiresAt, revokedAt }: Key): string {
  const state = revokedAt !== null ? 'revoked' : expiresAt === null ? 'does not expire' : `until ${expiresAt}`
  const rights = `${role}${scopes ? ` (${scopes.join(', ')})` : ''}${operator ? ', operator' : ''}`
  return `key ${id} "${name}" of ${userId} in ${tenant}: ${rights}, ${state}`
}
