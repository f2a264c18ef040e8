import type { KeyboardEvent } from 'react'

/** The key belongs to an input method. Safari tells the one that ends a composition only by its number. */
export const isComposing = ({ nativeEvent }: KeyboardEvent): boolean =>
  // oxlint-disable-next-line typescript/no-deprecated
  nativeEvent.isComposing || nativeEvent.keyCode === 229
