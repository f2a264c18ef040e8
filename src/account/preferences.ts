import { randomBytes } from 'node:crypto'
import type { Actor } from '../contract/actor.ts'
import { auditRecord, type AuditRecord } from '../contract/audit.ts'
import { refuseUnknownFields } from '../contract/known-fields.ts'
import { need } from '../contract/need.ts'
import {
  FORMALITIES,
  MOST_INSTRUCTION_CHARS,
  RESPONSE_LENGTHS,
  type Preferences as Wanted,
  type StoredPreferences,
} from '../contract/preferences.ts'
import { invalidField } from '../contract/problem.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import { oneOf, TEXT, YES_OR_NO, type FieldRules } from '../lib/check-fields.ts'
import { cleanInstructions } from '../lib/clean-instructions.ts'
import type { Clock } from '../lib/clock.ts'
import { sha256 } from '../lib/hash.ts'
import { newId } from '../lib/id.ts'
import type { PromptStore } from '../store/index.ts'

/** What users want of every answer; each sees and sets only their own. */
export interface Preferences {
  /** Empty if nothing is set. */
  get(actor: Actor): Promise<Wanted>
  /** Replaces all of them. */
  put(actor: Actor, wanted: Wanted): Promise<Wanted>
  /** Deletes them, and the words also where they were sent to a model. */
  forget(actor: Actor): Promise<void>
  /** For rounds; no permission is checked. */
  of(tenant: string, userId: string): Promise<StoredPreferences | undefined>
}

const SALT_BYTES = 16

export function createPreferences(store: PromptStore, clock: Clock): Preferences {
  function record(action: AuditRecord['action'], { id: userId, tenant }: Actor, valueHash?: string): AuditRecord[] {
    const subject = { id: newId(), at: clock.now(), userId, tenant }
    return [auditRecord(action, subject, valueHash === undefined ? {} : { valueHash })]
  }

  return {
    of: (tenant, userId) => store.preferences(tenant, userId),
    async get(actor) {
      need(actor, 'chat:read')
      return (await store.preferences(actor.tenant, actor.id))?.preferences ?? {}
    },
    async put(actor, wanted) {
      need(actor, 'chat:write')
      const preferences = checked(wanted)
      const { tenant, id: userId } = actor
      const salt = randomBytes(SALT_BYTES).toString('hex')
      // Salted, so that the record tells nothing about the words once they are forgotten.
      const audit = record('preferences_changed', actor, sha256(salt + canonicalJson(preferences)))
      const given = { tenant, userId, preferences, salt, updatedAt: clock.now() }
      return (await store.putPreferences(given, audit)).preferences
    },
    async forget(actor) {
      need(actor, 'chat:write')
      await store.forgetPreferences(actor.tenant, actor.id, record('preferences_forgotten', actor))
    },
  }
}

const RULES: FieldRules<Wanted> = {
  responseLength: oneOf(...RESPONSE_LENGTHS),
  formality: oneOf(...FORMALITIES),
  customInstructions: TEXT,
  allowMemory: YES_OR_NO,
  allowWebSearch: YES_OR_NO,
}

function checked(wanted: Wanted): Wanted {
  refuseUnknownFields(wanted, Object.keys(RULES), 'Preferences')
  for (const [field, [fits, expected]] of Object.entries(RULES)) {
    const value: unknown = wanted[field as keyof Wanted]
    if (value !== undefined && !fits(value)) throw invalidField(field, `must be ${expected}`)
  }
  const { customInstructions: words } = wanted
  return words === undefined ? wanted : { ...wanted, customInstructions: checkedWords(words) }
}

function checkedWords(words: string): string {
  const clean = words.length > MOST_INSTRUCTION_CHARS ? words : cleanInstructions(words)
  if (clean.length > MOST_INSTRUCTION_CHARS)
    throw invalidField('customInstructions', `may have ${MOST_INSTRUCTION_CHARS} characters`)
  if (clean === '')
    throw invalidField('customInstructions', 'has nothing that anybody could see; leave it out, or write something')
  return clean
}
