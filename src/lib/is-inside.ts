import { isAbsolute, relative, sep } from 'node:path'

/** Is this place the root itself or below it? By words alone: both must be real paths. */
export function isInside(root: string, place: string): boolean {
  const way = relative(root, place)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
