import { Problem } from '../../contract/problem.ts'
import { checked } from './read-answer.ts'
import type { Reached } from './reach.ts'
import { requestTo, type Asked } from './request-to.ts'

export interface Patience {
  /** after this the person is told that we wait */
  readonly tellMs: number
  /** after this nobody is going to answer */
  readonly giveUpMs: number
}

export interface OverHttp {
  readonly key: string | undefined
  readonly home: string
  /** Something to know while it lasts. */
  tell(line: string): void
  readonly patience?: Patience
}

const PATIENCE: Patience = { tellMs: 2000, giveUpMs: 30_000 }

/** The whole database is read or written before these are answered. */
const SLOW = /^\/api\/db\//

/** A Segno that runs elsewhere. Closing it ends everything that was asked and has not been answered. */
export function overHttp(server: string, { key, home, tell, patience = PATIENCE }: OverHttp): Reached {
  checkAddress(server)
  checkKey(key)
  const leaving = new AbortController()
  let hasAnswered = false

  async function send(asked: Asked & { readonly signal?: AbortSignal }): Promise<Response> {
    const late = new AbortController()
    const ends = [leaving.signal, late.signal, ...(asked.signal ? [asked.signal] : [])]
    // Only while it has never answered: later somebody else may own the screen.
    const telling = setTimeout(() => hasAnswered || tell(`Still waiting for Segno at ${server} …`), patience.tellMs)
    const givingUp = SLOW.test(asked.path) ? undefined : setTimeout(() => late.abort(), patience.giveUpMs)
    try {
      const response = await fetch(requestTo(server, { ...asked, key, signal: AbortSignal.any(ends) }))
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
    ask: async (method, path, body, once) => checked(await send({ method, path, body, once })),
    stream: async (path, signal) => checked(await send({ method: 'GET', path, isStream: true, signal })),
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

/** What cannot be sent is said here, without the key itself. */
function checkKey(key: string | undefined): void {
  if (key === undefined || /^[\x21-\x7e]+$/.test(key)) return
  throw new Problem(
    'CONFIG_ERROR',
    'SEGNO_KEY is no key: it has blanks, line ends or letters that no key has. It must look like segno_….',
  )
}
