import type { MeView } from '../../../src/client/index.ts'
import type { IconName } from '../parts/icon.tsx'
import { may } from '../state/may.ts'

interface PageOf {
  /** its name in the address */
  readonly tab: string
  readonly title: string
  readonly icon: IconName
  /** whether it has something to show */
  readonly isFor: (me: MeView | undefined) => boolean
}

const who =
  (permission: string): PageOf['isFor'] =>
  (me) =>
    may(me, permission)

/** Who manages them, and who may use any of them. */
const usesWorkflows: PageOf['isFor'] = (me) =>
  may(me, 'workflow:manage') ||
  may(me, 'tool:invoke') ||
  (me?.permissions.some((one) => one.startsWith('tool:workflow_')) ?? false)

/** Pages that operators share with everybody else. */
export const SHARED_PAGES: readonly PageOf[] = [
  { tab: 'prompts', title: 'Prompts', icon: 'edit', isFor: who('prompt:read') },
  { tab: 'knowledge', title: 'Knowledge', icon: 'archive', isFor: who('knowledge:read') },
  { tab: 'workflows', title: 'Workflows', icon: 'play', isFor: usesWorkflows },
]

/** What is remembered about the user. */
export const MEMORIES: PageOf = { tab: 'memories', title: 'Memories', icon: 'shorten', isFor: who('memory:read') }
