import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const PROGRAM = fileURLToPath(new URL('../../support/seed-long-session.ts', import.meta.url))

export interface Seeded {
  readonly sessionId: string
  /** words that stand only in the first and in the last answer */
  readonly first: string
  readonly last: string
}

/** Writes a conversation of so many messages into a home nobody serves: 2000 in a second or two. */
export async function seedLongSession(home: string, messages: number): Promise<Seeded> {
  const args = ['--conditions=segno-source', PROGRAM, home, String(messages)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return { sessionId: stdout.trim(), first: 'Answer to question 1.', last: `Answer to question ${messages / 2}.` }
}
