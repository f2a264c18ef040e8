import type { z } from '@hono/zod-openapi'
import type { KeyView } from '../../contract/account.ts'
import type { StoredEvent } from '../../contract/event.ts'
import type { Completion, Turn } from '../../contract/turn.ts'
import type { ListedRound, RoundView, SessionView, ShownApproval, UnknownCallView } from '../../contract/views.ts'
import type { Workspace } from '../../contract/workspace.ts'
import { pictureRound } from '../../stream/index.ts'
import type { callSchema } from './schemas.ts'

/** What we know, as it is written on the wire. */

export const iso = (ms: number): string => new Date(ms).toISOString()
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms))

export function sessionBody({ owner: _, createdAt, updatedAt, usedAt, ...session }: SessionView) {
  return { ...session, createdAt: iso(createdAt), updatedAt: iso(updatedAt), usedAt: iso(usedAt) }
}

/** A round with what its events say of its turns and calls. */
export function roundBody(round: RoundView, events: readonly StoredEvent[]) {
  const { startSeq: _, endSeq: __, startedAt, endedAt, usage, ...rest } = round
  const picture = pictureRound(round.sessionId, round.requestId)
  for (const event of events) picture.see({ kind: 'event', event })
  return {
    ...rest,
    ...phaseOf(round, events),
    turns: picture.turns().map(turnBody),
    calls: callsOf(events),
    usage: { ...usage },
    startedAt: iso(startedAt),
    ...(endedAt !== undefined && { endedAt: iso(endedAt) }),
  }
}

/** A round in a list: what it cost and how it ended, not what was said. */
export function listedRoundBody({ startSeq: _, endSeq: __, startedAt, endedAt, usage, ...round }: ListedRound) {
  return {
    ...round,
    usage: { ...usage },
    startedAt: iso(startedAt),
    ...(endedAt !== undefined && { endedAt: iso(endedAt) }),
  }
}

function turnBody({ requestId: _, reasoning: __, toolCalls, usage, startedAt, endedAt, ...turn }: Turn) {
  return {
    ...turn,
    toolCalls: toolCalls.map(({ args: ___, ...call }) => call),
    ...(usage && { usage: { ...usage } }),
    startedAt: iso(startedAt),
    ...(endedAt !== undefined && { endedAt: iso(endedAt) }),
  }
}

function phaseOf({ protocol, state }: RoundView, events: readonly StoredEvent[]) {
  const last = events.findLast((event) => event.type === 'phase.started')
  if (protocol !== 'triggered' || last?.type !== 'phase.started') return {}
  const { phase, phaseIndex, cycleIndex } = last.data
  return state === 'ended'
    ? { phase: 'complete', phaseIndex: phaseIndex + 1, cycleIndex }
    : { phase, phaseIndex, cycleIndex }
}

function callsOf(events: readonly StoredEvent[]) {
  const started = new Map<string, number>()
  const calls = new Map<string, z.infer<typeof callSchema>>()
  for (const event of events) {
    const { sessionId, at } = event
    const requestId = event.requestId ?? ''
    if (event.type === 'tool.call') {
      const { callId, name } = event.data
      calls.set(callId, { callId, sessionId, requestId, tool: name, outcome: 'open', effect: 'none' })
    } else if (event.type === 'tool.started') started.set(event.data.callId, at)
    else if (event.type === 'tool.result') {
      const { callId, name, outcome, code, effect, durationMs, cost } = event.data
      const startedAt = started.get(callId)
      calls.set(callId, {
        callId,
        sessionId,
        requestId,
        tool: name,
        outcome,
        ...(code !== undefined && { code }),
        effect,
        ...(startedAt !== undefined && { startedAt: iso(startedAt) }),
        endedAt: iso(at),
        durationMs,
        cost,
      })
    }
  }
  return [...calls.values()]
}

export function approvalBody({ expiresAt, requestedAt, args, display, ...approval }: ShownApproval) {
  return {
    ...approval,
    args: { ...args },
    display: { ...display, warnings: [...display.warnings] },
    requestedAt: iso(requestedAt),
    expiresAt: iso(expiresAt),
  }
}

export function callBody({ endedAt, signature: _, reconciled: __, ...call }: UnknownCallView) {
  return { ...call, endedAt: iso(endedAt) }
}

export function completionBody({ usage, calls, ...completion }: Completion) {
  return { ...completion, usage: { ...usage }, calls: calls.map((call) => ({ ...call })) }
}

export function workspaceBody({ tenant: _, models, mcpServers, createdAt, updatedAt, ...workspace }: Workspace) {
  return {
    ...workspace,
    models: [...models],
    mcpServers: [...mcpServers],
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  }
}

export function keyBody({ scopes, createdAt, expiresAt, revokedAt, ...key }: KeyView & { secret?: string }) {
  return {
    ...key,
    scopes: scopes === null ? null : [...scopes],
    createdAt: iso(createdAt),
    expiresAt: isoOrNull(expiresAt),
    revokedAt: isoOrNull(revokedAt),
  }
}
