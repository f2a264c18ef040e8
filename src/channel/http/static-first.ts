import type { Router } from 'hono/router'
import { RegExpRouter } from 'hono/router/reg-exp-router'

/**
 * Routes without parameters have a router of their own, so that `/things/export` may stand beside `/things/{id}` and no
 * path has to be searched for.
 */
export function staticFirst<T>(): Router<T> {
  const plain = new RegExpRouter<T>()
  const others = new RegExpRouter<T>()
  const known = new Set<string>()
  return {
    name: 'static first',
    add(method, path, handler) {
      const isPlain = method !== 'ALL' && !/[:*]/.test(path)
      if (isPlain) known.add(`${method} ${path}`)
      else others.add(method, path, handler)
      // What stands before several routes stands before these too.
      if (method === 'ALL' || !path.includes(':')) plain.add(method, path, handler)
    },
    match: (method, path) => (known.has(`${method} ${path}`) ? plain : others).match(method, path),
  }
}
