import type { WireEvent } from '../../../src/client/index.ts'
import { textOf } from '../../../src/contract/message.ts'
import { paramWords } from '../conversation/param-words.ts'
import { originWords } from './origin-words.ts'
import { duration, FINISHED, money, oneLine, OUTCOMES, tokens } from '../parts/format.ts'

/** An event in one line. It may contain anybody's text: show it through `visible`. */
export function eventSummary(event: WireEvent): string {
  // A server that is newer than this page may know events that the page does not.
  return ((facts(event) as string[] | undefined) ?? []).filter((fact) => fact !== '').join(' · ')
}

function facts(event: WireEvent): string[] {
  switch (event.type) {
    case 'session.created':
      return [oneLine(event.data.title)]
    case 'session.forked':
      return [
        oneLine(event.data.title),
        `from event ${event.data.parent.seq}`,
        event.data.promptId === undefined ? '' : 'tries a draft of a prompt',
      ]
    case 'session.changed':
      return Object.entries({ ...event.data, params: event.data.params && paramWords(event.data.params) })
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => `${name}: ${oneLine(String(value || 'default'))}`)
    case 'session.archived':
    case 'session.deleted':
    case 'context.cleared':
    case 'message.deleted':
      return [`by ${oneLine(event.data.by)}`]
    case 'round.started':
      return [
        oneLine(event.data.model),
        event.data.protocol,
        event.data.mode,
        event.data.origin ? originWords(event.data.origin) : '',
      ]
    case 'round.asked':
      return [`${event.data.what} by ${oneLine(event.data.by)}`]
    case 'round.waiting':
      return [`for ${plural(event.data.callIds.length, event.data.for === 'approval' ? 'decision' : event.data.for)}`]
    case 'round.paused':
      return []
    case 'round.resumed':
      return [RESUMED[event.data.reason]]
    case 'round.ended':
      return [
        FINISHED[event.data.finishReason],
        event.data.unstarted ? 'before its turn' : '',
        money(event.data.cost, event.data.usage.unpriced),
        oneLine(event.data.error ?? ''),
      ]
    case 'phase.started':
      return [event.data.phase, `phase ${event.data.phaseIndex}`, `cycle ${event.data.cycleIndex}`]
    case 'phase.ended':
      return [`phase ${event.data.phaseIndex}`, event.data.reason]
    case 'turn.started':
      return [`turn ${event.data.turn}`, oneLine(event.data.model)]
    case 'turn.retried':
      return [`turn ${event.data.turn}`, oneLine(event.data.reason), `again in ${duration(event.data.waitMs)}`]
    case 'turn.ended':
      return [
        `turn ${event.data.turn}`,
        event.data.stopReason,
        duration(event.data.durationMs),
        tokens(event.data.usage),
      ]
    case 'message.user':
      return [
        oneLine(textOf(event.data.content)),
        files(event.data.content.filter(({ type }) => type === 'file').length),
      ]
    case 'message.assistant':
      return [
        oneLine(textOf(event.data.content)),
        ...event.data.content.flatMap((part) => (part.type === 'tool_use' ? [`calls ${oneLine(part.name)}`] : [])),
      ]
    case 'tool.call':
      return [oneLine(event.data.name), oneLine(event.data.raw ?? JSON.stringify(event.data.args))]
    case 'tool.started':
      return [oneLine(event.data.name ?? event.data.callId), event.data.effect]
    case 'tool.submitted':
      return [event.data.kind ?? '', oneLine(event.data.ref), 'its result comes later']
    case 'tool.result':
      return [
        oneLine(event.data.name),
        OUTCOMES[event.data.outcome],
        event.data.code ?? '',
        duration(event.data.durationMs),
        event.data.cost > 0 ? money(event.data.cost) : '',
      ]
    case 'tool.reconciled':
      return [
        event.data.happened ? 'it happened' : 'it did not happen',
        event.data.late ? 'its result came late' : `by ${oneLine(event.data.by)}`,
      ]
    case 'approval.requested':
      return [oneLine(event.data.tool), oneLine(event.data.target)]
    case 'approval.decided':
      return [event.data.decision, `by ${oneLine(event.data.by)}`]
    case 'notice':
      return [oneLine(event.data.text)]
    case 'compact.summary':
      return [`up to event ${event.data.upTo}`, oneLine(event.data.text)]
    case 'model.asked':
      return [event.data.purpose, oneLine(event.data.model), oneLine(event.data.because)]
    case 'model.answered':
      return [
        event.data.purpose,
        oneLine(event.data.failed ?? ''),
        duration(event.data.durationMs),
        tokens(event.data.usage),
      ]
  }
}

const RESUMED = {
  takeover: 'after the server stopped',
  resume: 'somebody let it go on',
  decided: 'what it waited for came',
} as const

const plural = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`
const files = (number: number): string => (number === 0 ? '' : plural(number, 'file'))
