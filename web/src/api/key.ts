import { createStore } from '../state/store.ts'

const PLACE = 'segno.key'

/** The key this browser asks with, and whether the server wants one that it does not have. */
export const keyState = createStore<{ key: string; wanted: '' | 'KEY_REQUIRED' | 'KEY_INVALID' }>({
  key: localStorage.getItem(PLACE) ?? '',
  wanted: '',
})

export function useKeyFromNowOn(key: string): void {
  if (key === '') localStorage.removeItem(PLACE)
  else localStorage.setItem(PLACE, key)
  keyState.set({ key, wanted: '' })
}
