import { prefer } from '../state/preferences.ts'
import { createStore } from '../state/store.ts'

export type InspectorTab = 'round' | 'prompt' | 'usage' | 'events' | 'forks'

/** The tab and round that the inspector shows; without an id, the last round. */
export const inspected = createStore<{ readonly tab: InspectorTab; readonly requestId?: string }>({ tab: 'round' })

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
