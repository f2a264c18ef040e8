import { OPERATOR, type Actor } from '../contract/actor.ts'
import { auditRecord, type AuditRecord } from '../contract/audit.ts'
import { need } from '../contract/need.ts'
import { invalidField, Problem } from '../contract/problem.ts'
import type { ProviderInput, ProviderRecord, ProviderTest, ProviderView } from '../contract/provider.ts'
import { EgressRefused } from '../egress/index.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/id.ts'
import { oneAtATime } from '../lib/one-at-a-time.ts'
import type { Secrets } from '../secret/index.ts'
import { INSTALLATION, providerSecret, type AuditStore, type SecretStore } from '../store/index.ts'
import { checkInput, checkName, onlyIn } from './check-input.ts'
import { completeInput, type CompleteInput } from './complete-input.ts'
import { splitProvider, type ProviderSecret } from './provider-secret.ts'

/** The providers of this installation, for operators. */
export interface Providers {
  /** Those of settings and those set over HTTP. */
  list(actor: Actor): Promise<ProviderView[]>
  get(actor: Actor, name: string): Promise<ProviderView>
  set(actor: Actor, name: string, input: ProviderInput): Promise<ProviderView>
  remove(actor: Actor, name: string): Promise<void>
  /** Asks it for something small; `model` is for servers that do not list theirs. */
  test(actor: Actor, name: string, options?: { readonly model?: string }): Promise<ProviderTest>
}

/** What this room needs of the models. */
interface ProviderModels {
  setUp(): readonly Pick<ProviderView, 'name' | 'kind' | 'baseURL' | 'hasKey' | 'setting' | 'missing'>[]
  addressSetting(name: string): string | undefined
  /** Undefined if nobody set it up. */
  test(name: string, model: string | undefined): Promise<ProviderTest | undefined>
}

interface ProviderOptions {
  readonly clock: Clock
  readonly models: ProviderModels
  readonly kinds: readonly string[]
  readonly most: number
  /** Reads the stored providers into the models. */
  reload(): Promise<void>
  /** Rejects if a URL leads to a private network. */
  checkAddress(url: string): Promise<void>
}

export function createProviders(
  store: SecretStore & AuditStore,
  secrets: Secrets,
  { clock, models, kinds, most, reload, checkAddress }: ProviderOptions,
): Providers {
  // All of them in one row, because a change looks at what is there before it writes.
  const inTurn = oneAtATime<unknown>()

  function record(action: AuditRecord['action'], { id: userId, tenant }: Actor, provider: string): AuditRecord {
    return auditRecord(action, { id: newId(), at: clock.now(), userId, tenant }, { provider })
  }

  async function views(): Promise<ProviderView[]> {
    const stored = new Map((await store.providers()).map((one) => [one.name, one]))
    const now = new Map(models.setUp().map((one) => [one.name, one]))
    const names = [...new Set([...now.keys(), ...stored.keys()])]
    return names.map((name) => viewOf(now.get(name), stored.get(name))).filter((view) => view !== undefined)
  }

  async function find(name: string): Promise<ProviderView> {
    const found = (await views()).find((one) => one.name === name)
    if (!found) throw new Problem('NOT_FOUND', `There is no provider ${name.slice(0, 100)}.`)
    return found
  }

  function refuseIfSet(name: string): void {
    const setting = models.setUp().find((one) => one.name === name)?.setting
    if (setting !== undefined)
      throw new Problem('CONFLICT', `${name} is set up by ${setting}, which counts; change it there.`)
  }

  async function put(actor: Actor, name: string, given: ProviderInput): Promise<void> {
    const all = await store.providers()
    const earlier = all.find((one) => one.name === name)
    const input = completeInput(name, given, earlier, kinds)
    checkInput(input, kinds)
    checkName(name, input.kind, kinds)
    if (typeof given.baseURL === 'string') await checkGivenAddress(name, given.baseURL)
    if (!earlier && all.length >= most)
      throw new Problem('CONFLICT', `There are ${most} providers already (limit PROVIDERS); remove one first.`)
    const before = earlier && { record: earlier, secret: await keptSecret(earlier, input) }
    const { record: next, secret } = splitProvider(name, input, before, clock.now())
    const audit = [record('provider_set', actor, name)]
    if (!secret) await store.putProvider(next, undefined, audit)
    else
      await secrets.put({ tenant: INSTALLATION, name: providerSecret(name) }, JSON.stringify(secret), (encrypted) =>
        store.putProvider(next, encrypted, audit),
      )
  }

  async function checkGivenAddress(name: string, baseURL: string): Promise<void> {
    const setting = models.addressSetting(name)
    if (setting !== undefined)
      throw new Problem('CONFLICT', `${setting} says where ${name} is; leave out baseURL.`, { field: 'baseURL' })
    await checkAddress(baseURL).catch(refusePrivate)
  }

  /** What stays secret, which is kept only for the server it was given for. */
  async function keptSecret(earlier: ProviderRecord, input: CompleteInput): Promise<ProviderSecret> {
    if (!keepsSecret(input, earlier)) return {}
    if (earlier.kind !== input.kind || originOf(earlier) !== originOf(input))
      throw invalidField(
        'key',
        'and secret headers must be given again, because the provider is another one now; null takes them away',
      )
    const text = await secrets.get({ tenant: INSTALLATION, name: providerSecret(earlier.name) })
    return JSON.parse(text ?? '{}') as ProviderSecret
  }

  return {
    async list(actor) {
      need(actor, OPERATOR)
      return views()
    },
    async get(actor, name) {
      need(actor, OPERATOR)
      return find(name)
    },
    async set(actor, name, input) {
      need(actor, OPERATOR)
      refuseIfSet(name)
      await inTurn('', () => put(actor, name, input))
      await reload()
      return find(name)
    },
    async remove(actor, name) {
      need(actor, OPERATOR)
      const isStored = (await store.providers()).some((one) => one.name === name)
      if (!isStored) refuseIfSet(name)
      if (!(await inTurn('', () => store.removeProvider(name, [record('provider_removed', actor, name)]))))
        throw new Problem('NOT_FOUND', `There is no provider ${name.slice(0, 100)}.`)
      await reload()
    },
    async test(actor, name, { model } = {}) {
      need(actor, OPERATOR)
      const { name: known } = await find(name)
      // Before anything is sent.
      await store.appendAudit([record('provider_tested', actor, known)])
      return (await models.test(known, model)) ?? { ok: false, message: 'It is not read yet; try again in a moment.' }
    },
  }
}

function viewOf(
  now: ReturnType<ProviderModels['setUp']>[number] | undefined,
  stored: ProviderRecord | undefined,
): ProviderView | undefined {
  // What settings say counts, whatever is stored.
  if (now && (now.setting !== undefined || !stored)) return now
  if (!stored) return undefined
  const { baseURL = now?.baseURL } = stored
  return {
    ...stored,
    // A key that was lost may have been forgotten.
    ...(now && now.missing === undefined && { hasKey: now.hasKey }),
    ...(baseURL !== undefined && { baseURL }),
    ...(now?.missing !== undefined && { missing: now.missing }),
  }
}

const keepsSecret = (input: CompleteInput, { hasKey, secretHeaders, secretQuery }: ProviderRecord): boolean =>
  (input.key === undefined && hasKey) ||
  (input.headers === undefined && secretHeaders.length > 0) ||
  (input.query === undefined && secretQuery.length > 0)

const originOf = ({ baseURL }: { readonly baseURL?: string }): string | undefined =>
  baseURL === undefined ? undefined : new URL(baseURL).origin

/** A server that cannot be looked up now is checked again with every request. */
function refusePrivate(error: unknown): void {
  if (!(error instanceof EgressRefused)) return
  if (error.code !== 'name' && error.code !== 'address')
    throw new Problem('VALIDATION_ERROR', error.message, { field: 'baseURL', cause: error })
  throw new Problem(
    'VALIDATION_ERROR',
    `${onlyIn('An address of a private network')} An origin that SEGNO_PRIVATE_ORIGINS names may be used.`,
    { field: 'baseURL', cause: error },
  )
}
