/** What somebody typed and did not send yet, kept by the browser. A browser that keeps nothing is no reason to fail. */

const draftAt = (place: string): string => `segno.draft.${place}`

export function readDraft(place: string): string {
  try {
    return localStorage.getItem(draftAt(place)) ?? ''
  } catch {
    return ''
  }
}

export function keepDraft(place: string, text: string): void {
  if (text === '') forget(draftAt(place))
  else keep(draftAt(place), text)
}

/** False: there is no room for it. */
export function keep(name: string, text: string): boolean {
  try {
    localStorage.setItem(name, text)
    return true
  } catch {
    return false
  }
}

export function forget(name: string): void {
  try {
    localStorage.removeItem(name)
  } catch {
    // then nothing was kept either
  }
}

export function keptUnder(prefix: string): string[] {
  try {
    return Object.keys(localStorage)
      .filter((name) => name.startsWith(prefix))
      .flatMap((name) => localStorage.getItem(name) ?? [])
  } catch {
    return []
  }
}
