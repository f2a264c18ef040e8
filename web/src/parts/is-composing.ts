import type { KeyboardEvent } from 'react'

/** Whether the key belongs to an input method; Safari marks the last one only by its code. */
export const isComposing = ({ nativeEvent }: KeyboardEvent): boolean =>
  // oxlint-disable-next-line typescript/no-deprecated
  nativeEvent.isComposing || nativeEvent.keyCode === 229
