/** localStorage that never throws: private windows and full disks refuse it. */

export function readText(name: string): string {
  try {
    return localStorage.getItem(name) ?? ''
  } catch {
    return ''
  }
}

/** False: the browser refused. An empty text removes the entry. */
export function storeText(name: string, text: string): boolean {
  try {
    if (text === '') localStorage.removeItem(name)
    else localStorage.setItem(name, text)
    return true
  } catch {
    return false
  }
}
