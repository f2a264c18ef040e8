import type { Actor } from '../contract/actor.ts'
import type { Action, Automation } from '../contract/automation.ts'
import type { JsonObject } from '../contract/message.ts'
import { invalidField, Problem } from '../contract/problem.ts'
import type { Clock } from '../lib/clock.ts'
import { keyOf } from '../lib/key-of.ts'
import { isObject } from '../lib/type-guards.ts'
import type { AutomationStore } from '../store/index.ts'
import type { Actions, Begun } from './actions.ts'
import type { Automations } from './automations.ts'
import { managed, type Managed } from './managed.ts'
import { jsonFault } from './read-fields.ts'
import { newSigningSecret, renewSecret, signingSecrets, type MadeSecret } from './signing-secrets.ts'
import { notSigned, readSigned, verifySigned, type SignedRequest } from './standard-webhooks.ts'

export type Hook = Automation<'hook'>

/** Addresses that others call to start something, as the hook's creator. */
export interface Hooks extends Managed<'hook', HookInput, Hook & MadeSecret> {
  renewSecret(actor: Actor, id: string): Promise<Hook & MadeSecret>
  /**
   * Takes a signed request of anybody; whoever cannot sign learns nothing. The same message id again gets the same
   * answer. `depth` is what the request says of the automations that led to it.
   */
  receive(name: string, request: SignedRequest, depth: number): Promise<Begun>
}

interface HookInput {
  readonly name: string
  readonly action: Action
}

interface HookOptions {
  readonly clock: Clock
  readonly actions: Actions
  /** how old a signed request may be */
  readonly signedMs: number
  readonly inputChars: number
}

const FIELDS = ['name', 'action'] as const
const NAME = /^[A-Za-z0-9_-]{1,64}$/
/** Tenants may give the same name; the signature tells which hook is meant. */
const MOST_OF_A_NAME = 100

export function createHooks(
  store: Pick<AutomationStore, 'automationsNamed'>,
  automations: Automations,
  { clock, actions, signedMs, inputChars }: HookOptions,
): Hooks {
  const { create, change, ...others } = managed<'hook', HookInput>(automations, 'hook', FIELDS)

  /** The hook whose secret signed the request, and the id of its message. */
  async function signedFor(name: string, request: SignedRequest): Promise<{ hook: Hook; messageId: string }> {
    const when = { now: clock.now(), toleranceMs: signedMs }
    // What cannot be right whatever the secret costs no look into the store.
    const mayBe = NAME.test(name) && readSigned(request, when).isValid
    const hooks = mayBe ? await store.automationsNamed('hook', name, MOST_OF_A_NAME) : []
    for (const hook of hooks as readonly Hook[]) {
      const secrets = signingSecrets(await automations.secretsOf(hook))
      const verdict = verifySigned(request, secrets, when)
      if (verdict.isValid) return { hook, messageId: verdict.id }
    }
    throw notSigned()
  }

  async function checkName(name: unknown): Promise<void> {
    if (typeof name !== 'string' || !NAME.test(name))
      throw invalidField('name', 'must be 1 to 64 letters, digits, "_" and "-"')
    if ((await store.automationsNamed('hook', name, MOST_OF_A_NAME)).length === MOST_OF_A_NAME)
      throw invalidField('name', 'is used by too many tenants; choose another')
  }

  return {
    ...others,
    create: (actor, wanted, once) =>
      create(actor, wanted, once, async () => {
        const { name, action } = wanted
        await checkName(name)
        return { name, body: { action: await actions.check(actor, action) }, secrets: { signing: newSigningSecret() } }
      }),
    change: (actor, id, changes) =>
      change(actor, id, changes, async (_, { name, action } = {}) => {
        if (name !== undefined) await checkName(name)
        const body = action && { body: { action: await actions.check(actor, action) } }
        return { ...(name !== undefined && { name }), ...body }
      }),
    renewSecret: (actor, id) => renewSecret(automations, actor, 'hook', id),
    async receive(name, request, depth) {
      if (request.body.length > inputChars * MOST_BYTES_PER_CHAR) throw tooLong(inputChars)
      const { hook, messageId } = await signedFor(name, request)
      return actions.perform(hook, {
        key: keyOf('hook', hook.id, messageId),
        depth,
        payload: readPayload(request.body, inputChars),
      })
    },
  }
}

function readPayload(bytes: Uint8Array, most: number): JsonObject {
  let payload: unknown
  try {
    payload = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new Problem('VALIDATION_ERROR', 'The body is not JSON; send a JSON object.')
  }
  if (!isObject(payload)) throw new Problem('VALIDATION_ERROR', 'The body must be a JSON object.')
  const fault = jsonFault(payload)
  if (fault !== undefined) throw new Problem('VALIDATION_ERROR', `The body ${fault}.`)
  if (JSON.stringify(payload).length > most) throw tooLong(most)
  return payload as JsonObject
}

/** `\u0041` in the body is one character. */
const MOST_BYTES_PER_CHAR = 6

const tooLong = (most: number): Problem =>
  new Problem('TOO_LARGE', `The body may have ${most} characters as JSON (limit INVOCATION_CHARS).`)
