import type { EventData, StoredEvent } from '../contract/event.ts'
import { CONTINUED, textOf, type FilePart, type Source } from '../contract/message.ts'
import type { SessionView } from '../contract/views.ts'
import { visible, visibleText } from '../lib/visible.ts'
import { eventSteps, type LogStore } from '../store/index.ts'
import { quoted } from './quoted.ts'

/** A conversation as Markdown. Messages are quoted and output is fenced, so that no text can look like a heading. */
export async function* exportMarkdown(store: LogStore, session: SessionView): AsyncGenerator<string> {
  const { id, title, seq, createdAt } = session
  const deleted = new Set<string>()
  for await (const events of eventSteps(store, id, { upTo: seq }))
    for (const event of events) if (event.type === 'message.deleted') deleted.add(event.data.target)
  yield `# ${plain(title)}\n\nA conversation with Segno, begun ${time(createdAt)}; session ${id}, up to event ${seq}.\n`
  const open = new Map<string, EventData['tool.call']>()
  for await (const events of eventSteps(store, id, { upTo: seq }))
    yield events.map((event) => (deleted.has(event.id) ? deletedText(event, open) : eventText(event, open))).join('')
  for (const call of open.values()) yield callLine(call.name, call, 'not finished')
}

function eventText(event: StoredEvent, open: Map<string, EventData['tool.call']>): string {
  switch (event.type) {
    case 'message.user': {
      const { content, own } = event.data
      if (own) return `\n*${CONTINUED}.*\n`
      const said = content.map((part) => (part.type === 'text' ? quoted(part.text) : fileLine(part, '> '))).join('\n')
      return `\n## User · ${time(event.at)}\n\n${said}`
    }
    case 'message.assistant': {
      const { content, files = [], sources = [], interrupted, own } = event.data
      const text = textOf(content)
      if (text.trim() === '' && files.length === 0) return ''
      const stopped = interrupted === true ? '\n*Stopped here.*\n' : ''
      const made = files.map((file) => `\n${fileLine(file, '')}`).join('')
      const from = sources.map((source) => `\n${sourceLine(source)}`).join('')
      return `\n## ${own === true ? 'Segno' : 'Assistant'} · ${time(event.at)}\n\n${quoted(text)}${stopped}${made}${from}`
    }
    case 'tool.call':
      open.set(event.data.callId, event.data)
      return ''
    case 'tool.result': {
      const { name, outcome, code, durationMs, content, cut, files = [] } = event.data
      const call = take(open, event.data.callId)
      const line = callLine(name, call, `${outcome}${code === undefined ? '' : ` (${code})`} · ${durationMs} ms`)
      const missing = cut === undefined ? '' : `\n  *${cut} characters were left out.*\n`
      const shown = content === '' ? '' : `\n${indent(fenced(content))}`
      return `${line}${shown}${missing}${files.map((file) => `\n${fileLine(file, '  ')}`).join('')}`
    }
    case 'round.ended': {
      const { finishReason, error, unstarted } = event.data
      if (unstarted) return '\n*A message that waited was cancelled.*\n'
      if (finishReason === 'complete') return ''
      return `\n*Ended: ${finishReason.replaceAll('_', ' ')}.*\n${error === undefined ? '' : `\n${quoted(error)}`}`
    }
    case 'context.cleared':
      return '\n---\n\n*Cleared: what stands above is not told to the model any more.*\n'
    case 'compact.summary':
      return `\n## Summary · ${time(event.at)}\n\n${quoted(event.data.text)}`
    default:
      return ''
  }
}

/** A call stays in the conversation when its output was deleted. */
function deletedText(event: StoredEvent, open: Map<string, EventData['tool.call']>): string {
  if (event.type !== 'tool.result') return ''
  const { name, outcome } = event.data
  return callLine(name, take(open, event.data.callId), `${outcome}, its output was deleted`)
}

function take<T>(map: Map<string, T>, key: string): T | undefined {
  const found = map.get(key)
  map.delete(key)
  return found
}

function callLine(name: string, call: EventData['tool.call'] | undefined, how: string): string {
  const args = call && (call.raw ?? JSON.stringify(call.args))
  return `\n- ${code(name)}${args === undefined ? '' : ` ${code(args)}`} → ${how}\n`
}

function fileLine({ name, mediaType, bytes }: FilePart, before: string): string {
  return `${before}File: ${name === undefined ? '' : `${code(name)}, `}${code(mediaType)}, ${bytes} bytes\n`
}

function sourceLine({ url, title, mediaType }: Source): string {
  const what = [title, url ?? mediaType].filter((one) => one !== undefined).map(code)
  return `Source: ${what.join(', ')}\n`
}

const time = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`

const plain = (text: string): string => visible(text).replaceAll(/[\\`*_[\]<>#&|~]/g, '\\$&')

const indent = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ')

/** The fence is longer than any in the text, so that nothing in it can end it. */
function fenced(text: string): string {
  const fence = ticks(text, 3)
  return `${fence}text\n${visibleText(text)}\n${fence}\n`
}

function code(text: string): string {
  const shown = visible(text)
  const mark = ticks(shown, 1)
  return mark.length === 1 ? `${mark}${shown}${mark}` : `${mark} ${shown} ${mark}`
}

function ticks(text: string, atLeast: number): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0)
  return '`'.repeat(Math.max(atLeast, longest + 1))
}
