import type { Rooms } from './config/index.ts'
import { Problem } from './contract/problem.ts'
import { createEgress, type EgressOptions } from './egress/index.ts'
import type { Clock } from './lib/clock.ts'
import { createRedactor, type Redactor } from './lib/redactor.ts'
import { STORED_KINDS, type Breakers, type Models } from './model/index.ts'
import { createProviders, providerLoader } from './provider/index.ts'
import { createSecrets, keyFile } from './secret/index.ts'
import type { Store } from './store/index.ts'
import type { Log } from './telemetry/index.ts'

export interface ProviderParts {
  readonly settings: Pick<Rooms, 'secrets' | 'providers' | 'tools'>
  readonly store: Store
  readonly clock: Clock
  readonly models: Models
  readonly breakers: Breakers
  readonly log: Log
  readonly network: EgressOptions | undefined
  /** one of several nodes, which must all have the same key */
  readonly isNode: boolean
  hasOthers(): Promise<boolean>
  /** secrets of the settings, which are redacted too */
  readonly known: readonly (string | undefined)[]
  readonly closed: AbortSignal
}

/** How many secrets are still redacted that were replaced or removed. */
const MOST_FORMER = 50

/** The secrets of this installation, and the providers that were set over HTTP, ready to be used. */
export async function openProviders(parts: ProviderParts) {
  const { settings, store, clock, models, breakers, log, network, isNode, hasOthers, known, closed } = parts
  const { file } = settings.secrets
  const secrets = createSecrets(store, {
    file: file === undefined ? undefined : keyFile(file),
    clock,
    hasOthers,
  })
  if (isNode) await checkAtStart(secrets)
  const egress = createEgress({ ...settings.tools.egress, ...network })
  closed.addEventListener('abort', () => void egress.close().catch(() => {}))
  let redactor = createRedactor(known)
  let stored: readonly string[] = []
  const { reload } = providerLoader(store, secrets, {
    egress,
    closed,
    setStored: models.setStored,
    onSecrets(texts) {
      // A round may still use one that was replaced or removed.
      stored = [...new Set([...texts, ...stored])].slice(0, texts.length + MOST_FORMER)
      redactor = createRedactor([...known, ...stored])
    },
    onUnreadable: (name) => log.warn('secret_unreadable', { server: name }),
  })
  await reload()
  const { most, testMs } = settings.providers
  const redact: Redactor = Object.assign((text: string) => redactor(text), {
    begun: (text: string) => redactor.begun(text),
  })
  return {
    secrets,
    /** Removes the secrets of settings and those stored now. */
    redact,
    providers: createProviders(store, secrets, {
      clock,
      kinds: STORED_KINDS,
      most,
      reload,
      checkAddress: (url) => egress.check(url),
      models: {
        setUp: models.setUp,
        addressSetting: models.addressSetting,
        test: (name, modelId) =>
          models.tryProvider(name, {
            ...(modelId !== undefined && { modelId }),
            timeoutMs: testMs,
            signal: AbortSignal.any([closed, AbortSignal.timeout(testMs)]),
            breakers,
          }),
      },
    }),
  }
}

/** A node with another key could not read what others store, so it does not start. */
async function checkAtStart(secrets: { check(): Promise<void> }): Promise<void> {
  try {
    await secrets.check()
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'SECRET_KEY_ERROR') throw error
    throw new Problem('CONFIG_ERROR', `Segno cannot start: ${error.message}`, { cause: error })
  }
}
