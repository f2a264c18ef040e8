import { storeText, readText } from '../state/local-storage.ts'
import { createStore } from '../state/store.ts'

const PLACE = 'segno.key'

/** The key this browser asks with, and whether the server wants one that it does not have. */
export const keyState = createStore<{ key: string; wanted: '' | 'KEY_REQUIRED' | 'KEY_INVALID' }>({
  key: readText(PLACE),
  wanted: '',
})

/** False: the browser does not keep it, so it is good until the page is loaded again. */
export function storeKey(key: string): boolean {
  const isKept = storeText(PLACE, key)
  keyState.set({ key, wanted: '' })
  return isKept
}
