import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { HELLO } from '../workloads.ts'
import { openConnection, type Connection, type Told } from './connection.ts'
import { answering } from './talk.ts'

// The process the load comes from.

interface ConnectWish {
  readonly kind: 'connect'
  readonly port: number
  /** one client each */
  readonly sessions: readonly string[]
}

export interface LoadWish {
  readonly kind: 'load'
  /** the clients that `connect` made; they leave afterwards */
  readonly clients: number
  readonly message: string
  /** each client starts its last round before this */
  readonly ms: number
  /** but plays as many at least; default 1 */
  readonly rounds?: number
  /** clients begin spread over this time, instead of all at once */
  readonly spreadMs?: number
  /** pause between two rounds of a client */
  readonly pauseMs?: number
}

export interface FollowWish {
  readonly kind: 'follow'
  readonly port: number
  /** one follower each */
  readonly sessions: readonly string[]
  /** false: connects and never reads */
  readonly reads: boolean
}

export type ClientWish = ConnectWish | LoadWish | FollowWish | { readonly kind: 'let-go' }

export interface Loaded {
  readonly rounds: number
  /** until the last round was over */
  readonly ms: number
  readonly frames: number
  readonly firstByteMs: readonly number[]
  readonly firstDeltaMs: readonly number[]
  /** what the client itself used meanwhile */
  readonly cpuMs: number
}

interface Clients {
  readonly connections: readonly Connection[]
  readonly sessions: readonly string[]
}

const connected: Clients[] = []

/**
 * Clients whose connection the server has taken: it takes few at a time while it is busy, and those it has not taken
 * would wait for the end of the load. Each has a short exchange with its session.
 */
async function connectClients({ port, sessions }: ConnectWish): Promise<number> {
  const connections = await Promise.all(sessions.map(() => openConnection(port)))
  await Promise.all(connections.map((connection, i) => connection.send(sessions[i] ?? '', HELLO)))
  return connected.push({ connections, sessions }) - 1
}

async function load({ clients, message, ms, rounds = 1, spreadMs = 0, pauseMs = 0 }: LoadWish): Promise<Loaded> {
  const { connections, sessions } = connected[clients] ?? { connections: [], sessions: [] }
  const told: Told[] = []
  const cpuBefore = process.cpuUsage()
  const start = performance.now()
  await Promise.all(
    connections.map(async (connection, i) => {
      if (spreadMs > 0) await wait((spreadMs * i) / connections.length)
      for (let played = 0; played < rounds || performance.now() - start < ms; played++) {
        told.push(await connection.send(sessions[i] ?? '', message))
        if (pauseMs > 0) await wait(pauseMs)
      }
    }),
  )
  const end = performance.now()
  const { user, system } = process.cpuUsage(cpuBefore)
  for (const connection of connections) connection.close()
  return {
    rounds: told.length,
    ms: end - start,
    frames: told.reduce((sum, { frames }) => sum + frames, 0),
    firstByteMs: told.map(({ firstByteMs }) => firstByteMs),
    firstDeltaMs: told.map(({ firstDeltaMs }) => firstDeltaMs),
    cpuMs: (user + system) / 1000,
  }
}

const followers = new Set<Socket>()

async function follow({ port, sessions, reads }: FollowWish): Promise<void> {
  await Promise.all(
    sessions.map((sessionId) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const socket = connect({ port, host: '127.0.0.1' })
      followers.add(socket)
      socket.on('error', reject)
      socket.write(
        `GET /api/sessions/${sessionId}/events HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\naccept: text/event-stream\r\n\r\n`,
      )
      if (!reads) socket.pause().once('connect', resolve)
      else {
        let text = ''
        socket.on('data', (chunk) => {
          text += chunk.toString('latin1')
          if (text.startsWith('HTTP/1.1 200') && /\r\n\r\n.+\n\n/s.test(text)) resolve()
        })
        socket.on('close', () => reject(new Error(`a follower was sent away: ${text.slice(0, 500)}`)))
      }
      return promise
    }),
  )
}

function letGo(): void {
  for (const socket of followers) socket.destroy()
  followers.clear()
}

answering<ClientWish, number | Loaded | void>((wish) => {
  switch (wish.kind) {
    case 'connect':
      return connectClients(wish)
    case 'load':
      return load(wish)
    case 'follow':
      return follow(wish)
    case 'let-go':
      return letGo()
  }
})
// Stays until its parent leaves.
process.channel?.ref()
