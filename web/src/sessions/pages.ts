import type { IconName } from '../parts/icon.tsx'

interface PageOf {
  /** its name in the address */
  readonly tab: string
  readonly title: string
  readonly icon: IconName
  /** the permission without which it has nothing to show */
  readonly needs: string
}

/** Pages that operators share with everybody else. */
export const SHARED_PAGES: readonly PageOf[] = [
  { tab: 'prompts', title: 'Prompts', icon: 'edit', needs: 'prompt:read' },
  { tab: 'knowledge', title: 'Knowledge', icon: 'archive', needs: 'knowledge:read' },
  { tab: 'workflows', title: 'Workflows', icon: 'play', needs: 'workflow:manage' },
]

/** What is remembered about the user. */
export const MEMORIES: PageOf = { tab: 'memories', title: 'Memories', icon: 'shorten', needs: 'memory:read' }
