import { useLayoutEffect, type RefObject } from 'react'

/** On touch screens the focus would open the keyboard. */
const hasKeyboard = (): boolean => matchMedia('(pointer: fine)').matches

/** Text and cursor of a focused field that was just removed. */
let left: { readonly text: string; readonly start: number; readonly end: number } | undefined

/** A field that replaces another takes over its focus and cursor. */
export function useCaret(field: RefObject<HTMLTextAreaElement | null>): void {
  useLayoutEffect(() => {
    const area = field.current
    if (!area) return
    if (left || hasKeyboard()) area.focus({ preventScroll: true })
    const { start, end } = left?.text === area.value ? left : { start: area.value.length, end: area.value.length }
    area.setSelectionRange(start, end)
    return () => {
      if (document.activeElement !== area) return
      const now = { text: area.value, start: area.selectionStart, end: area.selectionEnd }
      left = now
      setTimeout(() => {
        if (left === now) left = undefined
      })
    }
  }, [field])
}
