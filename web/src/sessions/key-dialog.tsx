/** Asks for the key where the server wants one. */
export function KeyDialog() {
  return null
}
