import { prefer } from '../state/preferences.ts'
import { createStore } from '../state/store.ts'

export type InspectorTab = 'round' | 'prompt' | 'usage' | 'events' | 'forks'

interface Inspected {
  readonly tab: InspectorTab
  /** without it, the last round */
  readonly requestId?: string
  /** whose prompt is shown; without it, the one that would be sent now */
  readonly turn?: number
}

/** What the inspector shows. */
export const inspected = createStore<Inspected>({ tab: 'round' })

/** Opens the inspector, on the tab it was on. */
export function openInspector(tab: InspectorTab = inspected.get().tab): void {
  inspected.set({ ...inspected.get(), tab })
  prefer({ inspector: true })
}

/** Opens the inspector at a round. */
export function inspectRound(requestId: string): void {
  inspected.set({ tab: 'round', requestId })
  prefer({ inspector: true })
}
