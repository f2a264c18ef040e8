import { tellCall } from './app-calls.ts'
import type { Cluster } from './cluster/index.ts'
import type { Clock } from './lib/clock.ts'
import type { AskTask } from './job/index.ts'
import type { AwaitsAnswer, Rounds } from './round/index.ts'
import type { ListStore } from './store/index.ts'
import type { Mcp } from './tool/mcp/index.ts'
import type { Workspaces } from './workspace/index.ts'

/** For the node that a task belongs to, or the next one, which look within a second. */
const LEFT_TO_OTHER_MS = 50
const NOT_NOW_MS = 5000
const NOT_NOW_MOST_MS = 60_000
/** How long it is tried to cancel a task that nobody waits for. */
const CANCEL_MS = 10 * 60_000

interface TaskParts {
  readonly mcp: Pick<Mcp, 'askTask'>
  readonly cluster: Pick<Cluster, 'id' | 'mayAct' | 'view'>
  readonly clock: Clock
  readonly store: Pick<ListStore, 'round'>
  readonly rounds: Pick<Rounds, 'answerCall'>
  readonly awaitsAnswer: AwaitsAnswer
  readonly workspaces: Pick<Workspaces, 'folder'>
}

/** Asks servers about the tasks that calls wait for, and gives the calls what came of them. */
export function taskAsker({ mcp, cluster, clock, store, workspaces, ...told }: TaskParts): AskTask {
  return async (work, signal) => {
    const { tenant, workspaceId, server, task, node, since, until } = work
    if (node !== cluster.id() && cluster.view().nodes.some(({ id }) => id === node)) return LEFT_TO_OTHER_MS
    if (!cluster.mayAct()) return NOT_NOW_MS
    const round = await store.round(work.requestId)
    const now = clock.now()
    const overSince = round === undefined ? since : round.state === 'ended' ? (round.endedAt ?? now) : until
    const isWanted = round !== undefined && round.state !== 'ended' && now < until
    const soon = (ms: number): number => Math.max(1, isWanted ? Math.min(ms, until - now) : ms)
    try {
      const found = await workspaces.folder(tenant, workspaceId)
      const place = { tenant, workspaceId, folder: 'path' in found ? found.path : undefined }
      const news = await mcp.askTask(place, server, { task, tookMs: now - since, isWanted, signal })
      if (news.kind === 'working') return soon(news.afterMs)
      if (news.kind === 'ended') await tellCall(told, work, news.answer)
      return undefined
    } catch {
      if (signal.aborted) return LEFT_TO_OTHER_MS
      // The server, its login or the network may come back as long as somebody waits.
      if (!isWanted && now - overSince >= CANCEL_MS) return undefined
      return soon(Math.min(Math.max(NOT_NOW_MS, Math.ceil((now - since) / 10)), NOT_NOW_MOST_MS))
    }
  }
}
