import { fork } from 'node:child_process'
import { join } from 'node:path'
import { HELLO } from '../workloads.ts'
import type { ClientWish, FollowWish, Loaded, LoadWish } from './client-process.ts'
import type { Server } from './server.ts'
import { asking } from './talk.ts'

/** The process that makes the load; the same one for Segno and for the floor. */
export interface Client {
  load(server: Server, wish: Omit<LoadWish, 'kind' | 'port'>): Promise<Loaded>
  follow(server: Server, wish: Omit<FollowWish, 'kind' | 'port'>): Promise<void>
  /** all followers leave */
  letGo(): Promise<void>
  /** new sessions with one short exchange in them */
  freshSessions(server: Server, count: number): Promise<string[]>
  stop(): void
}

export function startClient(): Client {
  const child = fork(join(import.meta.dirname, 'client-process.ts'), { execArgv: ['--conditions=source'] })
  const ask = asking<ClientWish, unknown>(child)
  const load: Client['load'] = async ({ port }, wish) => (await ask({ kind: 'load', port, ...wish })) as Loaded
  return {
    load,
    async follow({ port }, wish) {
      await ask({ kind: 'follow', port, ...wish })
    },
    async letGo() {
      await ask({ kind: 'let-go' })
    },
    async freshSessions(server, count) {
      const sessions = await server.sessions(count)
      await load(server, { sessions, message: HELLO, ms: 0 })
      return sessions
    },
    stop: () => void child.kill(),
  }
}
