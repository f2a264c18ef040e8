/** What this browser keeps for the page. One that keeps nothing is no reason to fail. */

export function readKept(name: string): string {
  try {
    return localStorage.getItem(name) ?? ''
  } catch {
    return ''
  }
}

/** False: it could not be kept. Nothing is kept of an empty text. */
export function keepText(name: string, text: string): boolean {
  try {
    if (text === '') localStorage.removeItem(name)
    else localStorage.setItem(name, text)
    return true
  } catch {
    return false
  }
}
