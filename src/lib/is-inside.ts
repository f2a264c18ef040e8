import { isAbsolute, relative, sep } from 'node:path'

/** Whether a path is the root or below it; both must be real paths. */
export function isInside(root: string, place: string): boolean {
  const way = relative(root, place)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
