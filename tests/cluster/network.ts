import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { startProxy, type Proxy } from './proxy.ts'

/** The links of one node: each can be interrupted without anybody being told. */
export interface Links {
  /** what its process is started with */
  readonly prefix: readonly string[]
  /** where it reaches the database and the world outside */
  readonly database: { readonly host: string; readonly port: number }
  readonly ledger: { readonly host: string; readonly port: number }
  /** where the other nodes reach it, and where clients do */
  readonly address: string
  readonly url: string
  /** addresses it has besides the loopback */
  readonly listens: readonly string[]
  setDatabase(isOpen: boolean): void
  setPeers(isOpen: boolean): void
  /** Breaks its connections to the database off; new ones can be made. */
  breakOff(): void
  close(): Promise<void>
}

interface Ends {
  /** counted from 1 */
  readonly n: number
  readonly port: number
  readonly databasePort: () => number
  readonly ledgerPort: number
}

export type Network = (ends: Ends) => Promise<Links>

/** For a machine where no namespaces can be made: everything passes proxies that can hold it back. */
export const proxies: Network = async ({ port, databasePort, ledgerPort }) => {
  const toDatabase = await startProxy(databasePort)
  const toItself = await startProxy(() => port)
  const set = (proxy: Proxy, isOpen: boolean): void => (isOpen ? proxy.open() : proxy.stop())
  return {
    prefix: [],
    database: { host: '127.0.0.1', port: toDatabase.port },
    ledger: { host: '127.0.0.1', port: ledgerPort },
    address: `http://127.0.0.1:${toItself.port}`,
    url: `http://127.0.0.1:${port}`,
    listens: [],
    setDatabase: (isOpen) => set(toDatabase, isOpen),
    setPeers: (isOpen) => set(toItself, isOpen),
    breakOff: toDatabase.breakOff,
    close: async () => void (await Promise.all([toDatabase.close(), toItself.close()])),
  }
}

/** Each kind of traffic has a switch of its own, and each node a cable to each of them. */
const SWITCHES = { db: '10.9.0', peer: '10.8.0', out: '10.7.0' } as const
type Switch = keyof typeof SWITCHES

const ip = (...args: readonly string[]): void => void execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })

/** Lays the switches. This process must be in a network namespace of its own: nobody else sees any of it. */
export function laySwitches(): void {
  ip('link', 'set', 'lo', 'up')
  for (const [name, net] of Object.entries(SWITCHES)) {
    ip('link', 'add', `sw-${name}`, 'type', 'bridge')
    ip('link', 'set', `sw-${name}`, 'up')
    ip('addr', 'add', `${net}.1/24`, 'dev', `sw-${name}`)
  }
}

/** Every node in a network namespace of its own; a way is interrupted by pulling the cable out of its switch. */
export const namespaces: Network = async ({ n, port, databasePort, ledgerPort }) => {
  const holder = spawn('unshare', ['--net', 'sh', '-c', 'echo there; exec sleep infinity'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (holder.stdout) await once(holder.stdout, 'data')
  const prefix = ['nsenter', `--net=/proc/${holder.pid}/ns/net`]
  const inside = (...args: readonly string[]): void =>
    void execFileSync('nsenter', [...prefix.slice(1), 'ip', ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  const cable = (name: Switch): string => `n${n}-${name}`
  inside('link', 'set', 'lo', 'up')
  for (const [name, net] of Object.entries(SWITCHES) as [Switch, string][]) {
    ip('link', 'add', cable(name), 'type', 'veth', 'peer', 'name', name, 'netns', String(holder.pid))
    ip('link', 'set', cable(name), 'master', `sw-${name}`)
    ip('link', 'set', cable(name), 'up')
    inside('addr', 'add', `${net}.${10 + n}/24`, 'dev', name)
    inside('link', 'set', name, 'up')
  }
  const [peer, out] = [`${SWITCHES.peer}.${10 + n}`, `${SWITCHES.out}.${10 + n}`]
  const toDatabase = await startProxy(databasePort, `${SWITCHES.db}.1`)
  const toLedger = await startProxy(() => ledgerPort, `${SWITCHES.out}.1`)
  // Clients come from this machine, as they do behind a load balancer on it.
  const toNode = await startProxy(() => port, '127.0.0.1', out)
  const set = (name: Switch, isOpen: boolean): void => ip('link', 'set', cable(name), isOpen ? 'up' : 'down')
  return {
    prefix,
    database: { host: `${SWITCHES.db}.1`, port: toDatabase.port },
    ledger: { host: `${SWITCHES.out}.1`, port: toLedger.port },
    address: `http://${peer}:${port}`,
    url: `http://127.0.0.1:${toNode.port}`,
    listens: [peer, out],
    setDatabase: (isOpen) => set('db', isOpen),
    setPeers: (isOpen) => set('peer', isOpen),
    breakOff: toDatabase.breakOff,
    async close() {
      const gone = once(holder, 'exit')
      holder.kill('SIGKILL')
      await gone
      await Promise.all([toDatabase.close(), toLedger.close(), toNode.close()])
      for (const name of Object.keys(SWITCHES) as Switch[]) {
        try {
          ip('link', 'del', cable(name))
        } catch {
          // It went with its namespace.
        }
      }
    },
  }
}
