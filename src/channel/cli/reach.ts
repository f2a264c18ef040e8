import { createClient, type Client } from '../../client/index.ts'
import { Problem } from '../../contract/problem.ts'
import type { Segno } from '../../segno.ts'
import { overHttp, type OverHttp } from './over-http.ts'
import { notedServer } from './server-note.ts'

/** A connection to Segno. */
export interface Reached {
  readonly client: Client
  /** undefined if Segno runs in this process */
  readonly server: string | undefined
  readonly home: string
  /** Aborts all requests. */
  close(): Promise<void>
}

export interface ReachOptions extends OverHttp {
  readonly server: string | undefined
  /** the database, if several processes may open it */
  readonly shared?: string | undefined
  open(): Promise<Segno>
}

/** The given server, the one that has the database open, or else Segno in this process. */
export async function reach(options: ReachOptions): Promise<Reached> {
  const { home, server, shared, open } = options
  if (server !== undefined) return overHttp(server, options)
  // Opening a shared database would make this process one more node, and only trying to open another takes twice as long.
  const beside = notedServer(home, shared)
  if (beside !== undefined) return overHttp(beside, options)
  try {
    const segno = await open()
    if (options.key !== undefined)
      options.tell?.('No server runs, so this is done as the owner of this machine: SEGNO_KEY is for servers.')
    const fetch = (url: string, init: RequestInit): Promise<Response> => segno.fetch(new Request(url, init))
    const client = createClient({ baseUrl: 'http://localhost', fetch })
    return { client, server: undefined, home, close: () => segno.close() }
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'STORE_BUSY') throw error
    const url = notedServer(home, shared, true)
    if (url === undefined) throw error
    return overHttp(url, options)
  }
}
