import { Problem } from '../../contract/problem.ts'
import type { Segno } from '../../segno.ts'
import { overHttp, type OverHttp } from './over-http.ts'
import { checked } from './read-answer.ts'
import { requestTo } from './request-to.ts'
import { notedServer } from './server-note.ts'

/** Asks a Segno, wherever it runs. A problem it answers with is thrown as one. */
export interface Reached {
  /** `once`: a key under which it happens once, however often it is asked */
  ask(method: string, path: string, body?: object, once?: string): Promise<Response>
  /** Opens a stream of events; it ends when it is aborted. */
  stream(path: string, signal: AbortSignal): Promise<Response>
  /** the address of the server; undefined where Segno runs in this process */
  readonly server: string | undefined
  /** the folder of this machine's Segno */
  readonly home: string
  /** What was asked and is not answered yet is given up. */
  close(): Promise<void>
}

export interface ReachOptions extends Omit<OverHttp, 'tell'> {
  readonly server: string | undefined
  open(): Promise<Segno>
  /** Something to know while it lasts, such as that nobody has answered yet. */
  tell?(line: string): void
}

/** The server that was named, the one that has the database, or this process itself if nobody has it. */
export async function reach(options: ReachOptions): Promise<Reached> {
  const { home, key, server, open, tell = () => {}, patience } = options
  const over = (url: string): Reached => overHttp(url, { key, home, tell, ...(patience && { patience }) })
  if (server !== undefined) return over(server)
  try {
    return inProcess(await open(), home)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'STORE_BUSY') throw error
    const url = notedServer(home)
    if (url === undefined) throw error
    return over(url)
  }
}

function inProcess(segno: Segno, home: string): Reached {
  const here = 'http://localhost'
  return {
    ask: async (method, path, body, once) => checked(await segno.fetch(requestTo(here, { method, path, body, once }))),
    stream: async (path, signal) =>
      checked(await segno.fetch(requestTo(here, { method: 'GET', path, isStream: true, signal }))),
    server: undefined,
    home,
    close: () => segno.close(),
  }
}
