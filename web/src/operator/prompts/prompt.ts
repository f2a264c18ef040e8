import type { MeView, Wire } from '../../../../src/client/index.ts'
import type { GovernedPrompt, PromptStatus } from '../../../../src/contract/governed-prompt.ts'
import type { IconName } from '../../parts/icon.tsx'
import { may } from '../../state/may.ts'
import { visibleText } from '../../text/visible.ts'
import { hrefWith } from '../filters.ts'
import { hasWritten } from '../governed.ts'

/** A version of a system prompt as the server tells it. */
export type Prompt = Wire<Omit<GovernedPrompt, 'tenant'>>

export const STATUS: Readonly<Record<PromptStatus, readonly [words: string, icon: IconName, tone: string]>> = {
  draft: ['draft', 'edit', 'muted'],
  pending_review: ['waits for review', 'clock', 'warn'],
  approved: ['approved', 'check', ''],
  active: ['active', 'play', 'ok'],
  deprecated: ['deprecated', 'archive', 'muted'],
}

/** Its name and version, safe to show. */
export const titleOf = ({ name, version }: Pick<Prompt, 'name' | 'version'>): string =>
  `${visibleText(name)} v${version}`

export const hrefOfPrompt = (id: string): string => hrefWith('prompts', { id })

export type Step = 'submit' | 'approve' | 'reject' | 'activate' | 'deprecate'
type Deed = Step | 'edit' | 'try' | 'copy'

/** What somebody can do with a prompt in its status, besides reviewing it. */
export function deedsFor(me: MeView, prompt: Prompt): Deed[] {
  const { status } = prompt
  const mayWrite = may(me, 'prompt:write')
  const mayPublish = may(me, 'prompt:publish')
  const deeds: readonly (readonly [Deed, boolean])[] = [
    ['edit', status === 'draft' && mayWrite],
    ['try', status === 'draft' && hasWritten(me, prompt) && may(me, 'chat:write')],
    ['submit', status === 'draft' && mayWrite],
    ['activate', (status === 'approved' || status === 'deprecated') && mayPublish],
    ['copy', mayWrite],
    ['deprecate', status === 'active' && mayPublish],
  ]
  return deeds.flatMap(([deed, can]) => (can ? [deed] : []))
}

/** What a version can be compared with: the others of its name, and the active one. */
export const othersOf = (prompt: Prompt, versions: readonly Prompt[]): Prompt[] =>
  versions.filter(({ id, name, status }) => id !== prompt.id && (name === prompt.name || status === 'active'))

/** What it is compared with if nobody chooses: the active one, or else the version before it. */
export const compareFirst = ({ name, version }: Prompt, others: readonly Prompt[]): Prompt | undefined =>
  others.find(({ status }) => status === 'active') ??
  others.filter((one) => one.name === name && one.version < version).toSorted((a, b) => b.version - a.version)[0]
