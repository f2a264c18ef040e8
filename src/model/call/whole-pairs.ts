/** Holds back half a surrogate pair until the other half comes; a lone half becomes U+FFFD. */
export function wholePairs() {
  let held = ''
  return {
    push(delta: string): string {
      const text = held === '' ? delta : held + delta
      const last = text.charCodeAt(text.length - 1)
      if (last >= 0xd800 && last <= 0xdbff) {
        held = text.slice(-1)
        return text.slice(0, -1).toWellFormed()
      }
      held = ''
      return text.isWellFormed() ? text : text.toWellFormed()
    },
    end(): string {
      const rest = held === '' ? '' : '\uFFFD'
      held = ''
      return rest
    },
  }
}
