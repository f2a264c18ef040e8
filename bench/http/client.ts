import { fork } from 'node:child_process'
import { join } from 'node:path'
import type { ClientWish, FollowWish, Loaded, LoadWish } from './client-process.ts'
import type { Server } from './server.ts'
import { asking } from './talk.ts'

export type Load = Omit<LoadWish, 'kind' | 'clients'>

/** The process that makes the load; the same one for Segno and for the floor. */
export interface Client {
  /** Clients that are ready, one for each session. Returns their number, for `load`. */
  connect(server: Server, sessions: readonly string[]): Promise<number>
  load(clients: number, load: Load): Promise<Loaded>
  follow(server: Server, wish: Omit<FollowWish, 'kind' | 'port'>): Promise<void>
  /** all followers leave */
  letGo(): Promise<void>
  stop(): void
}

export function startClient(): Client {
  const child = fork(join(import.meta.dirname, 'client-process.ts'), { execArgv: ['--conditions=segno-source'] })
  const ask = asking<ClientWish, unknown>(child)
  return {
    async connect({ port }, sessions) {
      return (await ask({ kind: 'connect', port, sessions })) as number
    },
    async load(clients, load) {
      return (await ask({ kind: 'load', clients, ...load })) as Loaded
    },
    async follow({ port }, wish) {
      await ask({ kind: 'follow', port, ...wish })
    },
    async letGo() {
      await ask({ kind: 'let-go' })
    },
    stop: () => void child.kill(),
  }
}
