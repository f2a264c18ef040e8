import { useLayoutEffect, type RefObject } from 'react'

/** Typing on glass begins where the reader wants it to. */
const hasKeyboard = (): boolean => matchMedia('(pointer: fine)').matches

/** Where somebody was writing in a field that has just gone. */
let left: { readonly text: string; readonly start: number; readonly end: number } | undefined

/** A field that takes the place of another goes on where that one was: nobody should notice. */
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
