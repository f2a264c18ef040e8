import { setTimeout as sleep } from 'node:timers/promises'
import type { PostgresServer } from '../support/postgres/start-postgres.ts'
import type { Fault } from './plan-episode.ts'
import type { Member, Stage } from './stage.ts'

/** When something hit a node, or all of them, by the wall clock, and until when the database was away because of it. */
export interface Struck {
  readonly kind: Fault['kind']
  readonly member: Member | undefined
  readonly at: number
  readonly databaseBack?: number
}

/** Where nothing is called any more. */
const LATE_MS = 2000

/** Does what the plan says, and puts everything right again afterwards. */
export async function strike(fault: Fault, stage: Stage, server: PostgresServer): Promise<Struck> {
  const { members } = stage
  await sleep(fault.atMs)
  const aimedAt = fault.isAimed ? await inCall(stage) : undefined
  const member = members.find(({ name }) => name === aimedAt) ?? members[fault.node]
  if (!member) throw new Error(`there is no node ${fault.node}`)
  const { process } = member
  // Two faults may hit one node: the other one may have started it already.
  const startAgain = async (): Promise<void> => {
    if (member.process === process) await member.start()
  }
  const at = Date.now()
  switch (fault.kind) {
    case 'kill':
      process.signal('SIGKILL')
      await sleep(fault.forMs)
      await startAgain()
      return { kind: fault.kind, member, at }
    case 'drain':
      process.signal('SIGTERM')
      await process.exited
      await startAgain()
      return { kind: fault.kind, member, at }
    case 'pause':
      process.signal('SIGSTOP')
      await sleep(fault.forMs)
      process.signal('SIGCONT')
      return { kind: fault.kind, member, at }
    case 'no database':
      member.links.setDatabase(false)
      await sleep(fault.forMs)
      member.links.setDatabase(true)
      return { kind: fault.kind, member, at }
    case 'no peers':
      for (const { links } of members) links.setPeers(false)
      await sleep(fault.forMs)
      for (const { links } of members) links.setPeers(true)
      return { kind: fault.kind, member: undefined, at }
    case 'database breaks off':
      for (const { links } of members) links.breakOff()
      return { kind: fault.kind, member: undefined, at, databaseBack: Date.now() }
    case 'database restarts':
      await server.restart()
      return { kind: fault.kind, member: undefined, at, databaseBack: Date.now() }
    case 'database killed':
      await server.kill9()
      await sleep(Math.min(fault.forMs, 1000))
      await server.restart()
      return { kind: fault.kind, member: undefined, at, databaseBack: Date.now() }
  }
}

/** The next node that is inside a call whose effect is still to come. */
async function inCall({ ledger, home }: Stage): Promise<string | undefined> {
  const there = Promise.withResolvers<string | undefined>()
  const forget = ledger.listen(home, (what, node) => {
    if (what === 'ready') there.resolve(String(node))
  })
  const late = setTimeout(() => there.resolve(undefined), LATE_MS)
  try {
    return await there.promise
  } finally {
    clearTimeout(late)
    forget()
  }
}
