import type { SegnoUnderTest } from '../../../support/segno-under-test.ts'
import { BASE } from '../../http/ask.ts'

/** The answer for a file of a session. */
export function readFile(it: SegnoUnderTest, hash: string, sessionId = it.sessionId): Promise<Response> {
  return it.segno.fetch(new Request(`${BASE}/api/sessions/${sessionId}/files/${hash}`))
}

export const bytesOf = async (answer: Response): Promise<Buffer> => Buffer.from(await answer.arrayBuffer())
