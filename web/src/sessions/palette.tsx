/** Everything there is to do, by name. */
export function Palette() {
  return null
}
