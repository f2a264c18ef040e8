import { createClient } from '../../client/index.ts'
import { Problem } from '../../contract/problem.ts'
import type { Reached } from './reach.ts'

interface Patience {
  readonly tellMs: number
  readonly giveUpMs: number
}

export interface OverHttp {
  readonly key: string | undefined
  readonly home: string
  /** Tells the person that it takes long. */
  tell?(line: string): void
  readonly patience?: Patience
}

const PATIENCE: Patience = { tellMs: 2000, giveUpMs: 30_000 }

/** These read or write the whole database, or a whole document, or wait for a workflow, before they answer. */
const SLOW = /\/api\/(?:db\/|knowledge|workflows\/[^/]+\/invoke\?wait)/

/** A server. Closing aborts all requests. */
export function overHttp(server: string, { key, home, tell, patience = PATIENCE }: OverHttp): Reached {
  checkAddress(server)
  checkKey(key)
  const leaving = new AbortController()
  let hasAnswered = false

  async function send(url: string, init: RequestInit): Promise<Response> {
    const late = new AbortController()
    const ends = [leaving.signal, late.signal, ...(init.signal ? [init.signal] : [])]
    // Only before the first answer: after that the chat may own the screen.
    const telling = setTimeout(() => hasAnswered || tell?.(`Still waiting for Segno at ${server} …`), patience.tellMs)
    const givingUp = SLOW.test(url) ? undefined : setTimeout(() => late.abort(), patience.giveUpMs)
    try {
      const response = await fetch(url, { ...init, signal: AbortSignal.any(ends) })
      hasAnswered = true
      return response
    } catch (cause) {
      throw failure(cause, late.signal.aborted, leaving.signal.aborted)
    } finally {
      clearTimeout(telling)
      clearTimeout(givingUp)
    }
  }

  function failure(cause: unknown, isLate: boolean, isLeaving: boolean): Problem {
    if (isLeaving) return new Problem('SHUTTING_DOWN', 'Left before Segno answered.', { cause })
    if (!isLate)
      return new Problem('STORE_UNAVAILABLE', `Segno at ${server} cannot be reached. Is it running?`, { cause })
    const seconds = patience.giveUpMs / 1000
    return new Problem(
      'TIMEOUT',
      `Segno at ${server} has not answered for ${seconds} s: it is busy or stopped. What was asked may still be done.`,
      { cause },
    )
  }

  return {
    client: createClient({ baseUrl: server, key, fetch: send }),
    server,
    home,
    async close() {
      leaving.abort()
    },
  }
}

function checkAddress(server: string): void {
  const url = URL.parse(server)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Problem('VALIDATION_ERROR', `"${server}" is no address of a server, such as http://127.0.0.1:4747.`)
  if (url.username !== '' || url.password !== '')
    throw new Problem('VALIDATION_ERROR', 'The address of a server has no name and password in it; use SEGNO_KEY.')
}

/** The message must not contain the key. */
function checkKey(key: string | undefined): void {
  if (key === undefined || /^[\x21-\x7e]+$/.test(key)) return
  throw new Problem(
    'CONFIG_ERROR',
    'SEGNO_KEY is no key: it has blanks, line ends or letters that no key has. It must look like segno_….',
  )
}
