import { textOf } from '../../contract/message.ts'
import { visible, visibleText } from '../../lib/visible.ts'
import { duration, endWords, money, outcomeWords } from './chat/words.ts'
import type { WireEvent } from './wire-events.ts'

/** What an event says to a person: a line, and below it what somebody said. */
export interface EventWords {
  readonly line: string
  readonly text?: string
  /** part of the conversation, rather than of how it went */
  readonly isSaid: boolean
}

const said = (line: string, text?: string): EventWords => ({ line, isSaid: true, ...(text !== undefined && { text }) })
const went = (line: string): EventWords => ({ line, isSaid: false })

/** Undefined: nothing that a person would miss. */
export function eventWords(event: WireEvent): EventWords | undefined {
  switch (event.type) {
    case 'session.created':
      return went(`session started: ${visible(event.data.title)}`)
    case 'session.forked':
      return went(`forked from ${event.data.parent.sessionId} at event ${event.data.parent.seq}`)
    case 'session.changed':
      return went('session changed')
    case 'session.archived':
      return went('session archived')
    case 'session.deleted':
      return went('session deleted')
    case 'round.started': {
      const { requestId, protocol, mode, model } = event.data
      return went(`round ${requestId} started: ${protocol}, ${mode}, ${visible(model)}`)
    }
    case 'round.asked':
      return went(`${event.data.what} asked for by ${visible(event.data.by)}`)
    case 'round.waiting':
      return went(`waiting for ${event.data.for === 'result' ? 'a result' : event.data.for}`)
    case 'round.paused':
      return went('paused')
    case 'round.resumed':
      return went(`going on (${event.data.reason})`)
    case 'round.ended': {
      const { finishReason, usage, cost, error, unstarted } = event.data
      if (unstarted) return went('a message that waited was cancelled')
      const words = `${endWords(finishReason)}${error === undefined ? '' : `: ${visible(error)}`}`
      const line = `${words} · ${usage.input} tokens in, ${usage.output} out · ${money(cost, usage)}`
      return finishReason === 'complete' ? went(line) : said(line)
    }
    case 'phase.started':
      return went(`phase ${event.data.phaseIndex} (${event.data.phase}, cycle ${event.data.cycleIndex})`)
    case 'turn.started':
      return went(`turn ${event.data.turn} asks ${visible(event.data.model)}`)
    case 'turn.retried':
      return went(`turn ${event.data.turn} tried again: ${visible(event.data.reason)}`)
    case 'turn.ended':
      return went(`turn ${event.data.turn} took ${duration(event.data.durationMs)}`)
    case 'message.user': {
      const files = event.data.content.flatMap((part) => (part.type === 'file' ? [` + ${fileWords(part)}`] : []))
      return said(`User${files.join('')}`, visibleText(textOf(event.data.content)))
    }
    case 'message.assistant': {
      const text = textOf(event.data.content)
      if (text === '') return undefined
      const stopped = event.data.interrupted === true ? ', stopped' : ''
      return said(`${event.data.own === true ? 'Segno' : 'Assistant'}${stopped}`, visibleText(text))
    }
    case 'tool.call':
      return went(`${visible(event.data.name)} ${visible(event.data.raw ?? JSON.stringify(event.data.args))}`)
    case 'approval.requested':
      return went(`a person is asked about ${visible(event.data.tool)} ${visible(event.data.target)}`)
    case 'approval.decided':
      return went(`decided by ${visible(event.data.by)}: ${event.data.decision}`)
    case 'tool.started':
      return went(`${visible(event.data.name ?? 'the call')} starts`)
    case 'tool.submitted':
      return went(`handed over as ${visible(event.data.ref)}; its result comes later`)
    case 'tool.result': {
      const { name, outcome, code, durationMs, content } = event.data
      const how = `${outcomeWords(outcome) || 'ok'}${code === undefined ? '' : ` (${code})`}`
      return said(`${visible(name)} → ${how} · ${duration(durationMs)}`, content && visibleText(content))
    }
    case 'tool.reconciled':
      return said(`a call was settled by ${visible(event.data.by)}: it did ${event.data.happened ? '' : 'not '}happen`)
    case 'notice':
      return went(`notice: ${visible(event.data.text)}`)
    case 'compact.summary':
      return said('Summary', visibleText(event.data.text))
    case 'context.cleared':
      return said('cleared: what stands above is not told to the model any more')
    case 'message.deleted':
      return went(`a message was deleted by ${visible(event.data.by)}`)
    case 'phase.ended':
      return undefined
  }
}

function fileWords({ name, mediaType, bytes }: { name?: string; mediaType: string; bytes: number }): string {
  return visible(`${name ?? 'a file'} (${mediaType}, ${bytes} bytes)`)
}

/** Under its line, a little to the right. */
export const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '    ')
