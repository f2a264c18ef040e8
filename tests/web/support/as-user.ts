import type { Stage } from './stage.ts'
import type { VisitOptions } from './visit.ts'

/** How somebody else visits: with a key of their own in their browser. */
export async function asUser(stage: Stage, userId: string, role: string): Promise<VisitOptions & { key: string }> {
  const { secret } = await stage.post('/api/keys', { name: userId, userId, role })
  const key = String(secret)
  const localStorage = [{ name: 'segno.key', value: key }]
  return { key, storageState: { cookies: [], origins: [{ origin: new URL(stage.url).origin, localStorage }] } }
}
