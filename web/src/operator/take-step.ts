import { client } from '../api/client.ts'
import { changed, refresh } from '../state/polled.ts'
import type { Governed } from './governed.ts'

/** Nobody decides about words that they have not seen: if it changed meanwhile, nothing is done. */
export async function takeStepOf(root: string, seen: Governed, step: string, reason = ''): Promise<void> {
  const body = { revision: seen.revision, ...(reason !== '' && { reason }) }
  const path = `${root}/${encodeURIComponent(seen.id)}`
  try {
    changed(path, await client.requestJson<Governed>('POST', `${path}/${step}`, { body }))
  } finally {
    refresh(root)
  }
}
