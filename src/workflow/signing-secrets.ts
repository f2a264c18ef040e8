import { randomBytes } from 'node:crypto'
import type { Actor } from '../contract/actor.ts'
import type { Automation } from '../contract/automation.ts'
import type { Automations } from './automations.ts'

type Texts = Readonly<Record<string, string>>

/** Shown once. */
export interface MadeSecret {
  /** signs what is sent there, and what comes from there; missing where nothing is signed */
  readonly secret?: string
}

const SECRET_BYTES = 32

/** As Standard Webhooks writes them. */
export const newSigningSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

/** A fresh one beside the one before, so that the other side can change over in its own time. */
export async function renewSecret<Kind extends 'workflow' | 'hook' | 'webhook'>(
  automations: Pick<Automations, 'change' | 'secretsOf'>,
  actor: Actor,
  kind: Kind,
  id: string,
): Promise<Automation<Kind> & MadeSecret> {
  const secret = newSigningSecret()
  const changed = await automations.change(
    actor,
    kind,
    id,
    async (before) => {
      const { signing, signingBefore: _, ...others } = await automations.secretsOf(before)
      return { secrets: { ...others, signing: secret, ...(signing !== undefined && { signingBefore: signing }) } }
    },
    { action: 'automation_secret_made' },
  )
  return { ...changed, secret }
}

/** Those that count, newest first. */
export const signingSecrets = ({ signing, signingBefore }: Texts): readonly string[] =>
  [signing, signingBefore].filter((one) => one !== undefined)
