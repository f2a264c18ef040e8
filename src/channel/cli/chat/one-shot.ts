import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline/promises'
import { textOf } from '../../../contract/message.ts'
import { Problem } from '../../../contract/problem.ts'
import type { Reached } from '../reach.ts'
import { titleOf, type Api, type Session } from './api.ts'
import { approvalLines, choiceOf, choicesText, detailsText, type Asked } from './approval-text.ts'
import { callLine, type ShownCall } from './call-line.ts'
import { followSession } from './follow-session.ts'
import type { WireEvent } from './frames.ts'
import { plain } from './paint.ts'
import { safeText } from './safe-text.ts'
import { advice, endWords } from './words.ts'

export interface OneShotOptions {
  readonly reached: Reached
  readonly api: Api
  readonly message: string
  readonly session: Session | undefined
  readonly json: boolean
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
}

const WIDTH = 160

/** One message and its answer: the text on stdout, everything else on stderr. True: the answer is complete. */
export async function oneShot(options: OneShotOptions): Promise<boolean> {
  const { reached, api, message, json, stdin, stdout, stderr } = options
  const session = options.session ?? (await api.create({ title: titleOf(message) }))
  const stop = new AbortController()
  const { requestId } = await api.send(session.id, message, randomUUID())
  const tell = (text: string): void => void stderr.write(`${text}\n`)
  let interrupts = 0
  const onInterrupt = (): void => {
    interrupts += 1
    if (interrupts > 1) return stop.abort()
    tell('Stopping. Ctrl-C again leaves.')
    api.cancel(requestId).catch(() => stop.abort())
  }
  process.on('SIGINT', onInterrupt).on('SIGTERM', onInterrupt)
  const canAsk = stdin.isTTY && stderr.isTTY && !json
  const answer = createAnswer(stdout, stdout.isTTY && !json)
  const calls = new Map<string, ShownCall & { outcome?: string; effect?: string }>()

  async function see(event: WireEvent): Promise<void> {
    switch (event.type) {
      case 'message.assistant':
        return answer.is(textOf(event.data.content), event.data.final)
      case 'tool.call':
        return void calls.set(event.data.callId, event.data)
      case 'tool.result': {
        const { callId, name, outcome, effect } = event.data
        const call = { ...(calls.get(callId) ?? { callId, name, args: {} }), outcome, effect }
        calls.set(callId, call)
        answer.breakLine()
        return tell(callLine(call, event.data, WIDTH, plain))
      }
      case 'approval.requested':
        return decide(event.data.approvalId)
      case 'notice':
        return tell(safeText(event.data.text))
      default:
        return
    }
  }

  /** Over a pipe nobody can be asked, and what nobody allows is not done. */
  async function decide(approvalId: string): Promise<void> {
    const asked = (await api.pending()).find(({ id }) => id === approvalId)
    if (!asked) return
    if (canAsk && !asked.isQuestion) return api.decide(approvalId, await askPerson(asked))
    tell(
      `${safeText(asked.tool)} needs somebody to allow it, and nobody can be asked here: denied. (segno chat without a message asks you.)`,
    )
    await api.decide(approvalId, { decision: 'deny', reason: 'Nobody can be asked: this message came over a pipe.' })
  }

  async function askPerson(asked: Asked): Promise<object> {
    const lines = createInterface({ input: stdin, output: stderr })
    try {
      answer.breakLine()
      for (const [text] of approvalLines(asked)) tell(safeText(text))
      for (;;) {
        const choice = choiceOf(
          (await lines.question(`${choicesText(asked)}  `, { signal: stop.signal })).trim(),
          asked,
        )
        if (choice === 'approve') return { decision: 'approve' }
        if (choice === 'session') return { decision: 'approve', remember: 'session' }
        if (choice === 'deny') return { decision: 'deny' }
        if (choice === 'details') tell(safeText(detailsText(asked, undefined)))
      }
    } finally {
      lines.close()
    }
  }

  try {
    const lost = (why: string): void => tell(`${why} Trying again …`)
    const { signal } = stop
    const frames = followSession(reached, session.id, { after: session.seq, outputs: false, signal, lost, back() {} })
    for await (const frame of frames) {
      if (frame.kind === 'delta' && frame.delta.requestId === requestId && frame.delta.kind === 'text')
        answer.add(frame.delta.offset, frame.delta.text)
      if (frame.kind !== 'event' || frame.event.requestId !== requestId) continue
      await see(frame.event)
      if (frame.event.type !== 'round.ended') continue
      const { finishReason, usage, cost, error } = frame.event.data
      const content = answer.end()
      if (json) {
        const all = [...calls.values()].map(({ callId, name, outcome, effect }) => ({ callId, name, outcome, effect }))
        const failed = error === undefined ? {} : { error }
        stdout.write(
          `${JSON.stringify({ requestId, sessionId: session.id, content, finishReason, usage, cost, calls: all, ...failed })}\n`,
        )
      } else if (finishReason !== 'complete')
        tell([`${endWords(finishReason)}.`, error && safeText(error), advice(finishReason)].filter(Boolean).join(' '))
      return finishReason === 'complete'
    }
    throw new Problem(
      'SHUTTING_DOWN',
      `Left before the answer was complete. segno chat --session ${session.id} goes on.`,
    )
  } finally {
    stop.abort()
    process.off('SIGINT', onInterrupt).off('SIGTERM', onInterrupt)
  }

  /** On a terminal it is seen as it comes; into a pipe goes the answer alone, once it is certain. */
  function createAnswer(out: NodeJS.WriteStream, isSeen: boolean) {
    let shown = ''
    let content = ''
    let isMidLine = false
    const put = (text: string): void => {
      if (text === '' || !isSeen) return
      out.write(safeText(text))
      isMidLine = !text.endsWith('\n')
    }
    const breakLine = (): void => {
      if (isMidLine) out.write('\n')
      isMidLine = false
    }
    return {
      breakLine,
      add(offset: number, text: string) {
        if (offset > shown.length) return
        const more = text.slice(shown.length - offset)
        shown += more
        put(more)
      },
      is(text: string, isFinal: boolean) {
        if (text.startsWith(shown)) put(text.slice(shown.length))
        else {
          breakLine()
          put(text)
        }
        breakLine()
        shown = ''
        if (isFinal) content = text
      },
      end() {
        breakLine()
        if (!isSeen && !json && content !== '') out.write(`${safeText(content).trimEnd()}\n`)
        return content
      },
    }
  }
}
