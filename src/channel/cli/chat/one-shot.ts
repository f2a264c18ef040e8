import { randomUUID } from 'node:crypto'
import { textOf } from '../../../contract/message.ts'
import { Problem } from '../../../contract/problem.ts'
import { safeJson, safeOutput } from '../safe-output.ts'
import { isRefusal, titleOf } from './api.ts'
import type { Asked } from './approval-text.ts'
import { askInLines } from './ask-in-lines.ts'
import { callLine, type ShownCall } from './call-line.ts'
import { followSession } from './follow-session.ts'
import type { InteractiveOptions } from './interactive.ts'
import type { WireEvent } from '../wire-events.ts'
import { printedAnswer, seenAnswer } from './one-shot-answer.ts'
import { coloured, plain, wantsColours } from './paint.ts'
import { safeText } from './safe-text.ts'
import { widthOf } from './screen.ts'
import { ADVICE, endWords } from './words.ts'

export interface OneShotOptions extends Pick<InteractiveOptions, 'reached' | 'api' | 'session' | 'stdin' | 'stdout'> {
  readonly message: string
  readonly json: boolean
  readonly stderr: NodeJS.WriteStream
}

const WIDTH = 160

/** One message and its answer: the text on stdout, everything else on stderr. True: the answer is complete. */
export async function oneShot(options: OneShotOptions): Promise<boolean> {
  const { reached, api, message, json, stdin, stdout, stderr } = options
  const session = options.session ?? (await api.create({ title: titleOf(message) }))
  const stop = new AbortController()
  const { requestId } = await api.send(session.id, message, randomUUID()).catch(async (error: unknown) => {
    // A message that is not taken leaves no empty conversation behind.
    if (!options.session && isRefusal(error)) await api.remove(session.id)
    throw error
  })
  const tell = (text: string): void => void stderr.write(`${safeOutput(text)}\n`)
  const interrupted = new AbortController()
  const onInterrupt = (): void => {
    if (interrupted.signal.aborted) return stop.abort()
    interrupted.abort()
    tell('Stopping. Ctrl-C again leaves.')
    api.cancel(requestId).catch(() => stop.abort())
  }
  process.on('SIGINT', onInterrupt).on('SIGTERM', onInterrupt)
  const canAsk = stdin.isTTY && stderr.isTTY && !json
  const isSeen = stdout.isTTY && !json
  const answer = isSeen ? seenAnswer(stdout, wantsColours(process.env) ? coloured : plain) : printedAnswer(stdout, json)
  const calls = new Map<string, ShownCall & { outcome?: string; effect?: string }>()

  /** what waits for a decision, asked one after the other; aborted when it waits no more */
  const open = new Map<string, AbortController>()
  let asking = Promise.resolve()
  let fault: Error | undefined

  function see(event: WireEvent): void {
    switch (event.type) {
      case 'message.assistant':
        return answer.is(textOf(event.data.content), event.data.final)
      case 'tool.call':
        return void calls.set(event.data.callId, event.data)
      case 'tool.result': {
        const { callId, name, outcome, effect } = event.data
        const call = { ...(calls.get(callId) ?? { callId, name, args: {} }), outcome, effect }
        calls.set(callId, call)
        answer.pause()
        return tell(callLine(call, event.data, stderr.isTTY ? widthOf(stderr) : WIDTH, plain))
      }
      case 'tool.submitted': {
        const name = calls.get(event.data.callId)?.name ?? 'a call'
        return tell(`Waits for the result of ${safeText(name)}, which comes later.`)
      }
      case 'approval.requested':
        return ask(event.data.approvalId)
      case 'approval.decided':
        return open.get(event.data.approvalId)?.abort()
      case 'turn.started':
      case 'turn.retried':
      case 'round.resumed':
        return answer.restart()
      case 'notice':
        // That it failed is told at its end.
        return event.data.reason === 'model_failed' ? undefined : tell(safeText(event.data.text))
      default:
        return
    }
  }

  /** Beside what comes: somebody else may decide while it is asked here. */
  function ask(approvalId: string): void {
    const gone = new AbortController()
    open.set(approvalId, gone)
    asking = asking
      .then(() => decide(approvalId, gone.signal))
      .catch((error: unknown) => {
        fault = error as Error
        stop.abort()
      })
  }

  async function decide(approvalId: string, gone: AbortSignal): Promise<void> {
    const asked = (await api.pending()).find(({ id }) => id === approvalId)
    if (!asked || gone.aborted) return
    answer.pause()
    const left = AbortSignal.any([interrupted.signal, stop.signal, gone])
    const decision = canAsk && !asked.isQuestion ? await askInLines(asked, options, left) : denied(asked)
    if (gone.aborted) tell('\n  decided    by somebody else, or too late')
    if (!decision || gone.aborted) return
    open.delete(approvalId)
    try {
      await api.decide(approvalId, decision)
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'CONFLICT') throw error
      tell(error.message)
    }
  }

  /** Over a pipe nobody can be asked, and what nobody allows is not done. */
  function denied({ tool }: Asked): object {
    const how = 'segno chat without a message asks you'
    tell(`${safeText(tool)} needs somebody to allow it, and nobody can be asked here: denied. (${how}.)`)
    return { decision: 'deny', reason: 'Nobody can be asked: this message came over a pipe.' }
  }

  try {
    const lost = (why: string): void => tell(`${why} Trying again …`)
    const { signal } = stop
    const frames = followSession(reached, session.id, { after: session.seq, outputs: false, signal, lost, back() {} })
    for await (const frame of frames) {
      if (frame.kind === 'delta' && frame.delta.requestId === requestId && frame.delta.kind === 'text')
        answer.add(frame.delta.offset, frame.delta.text)
      if (frame.kind === 'reset') answer.restart()
      if (frame.kind !== 'event' || frame.event.requestId !== requestId) continue
      see(frame.event)
      if (frame.event.type === 'round.paused')
        throw new Problem('CONFLICT', `Somebody paused the answer. segno rounds resume ${requestId} lets it go on.`)
      if (frame.event.type !== 'round.ended') continue
      const { finishReason, usage, cost, error } = frame.event.data
      const content = answer.end()
      if (json) {
        const all = [...calls.values()].map(({ callId, name, outcome, effect }) => ({ callId, name, outcome, effect }))
        const failed = error === undefined ? {} : { error }
        const said = { requestId, sessionId: session.id, content, finishReason, usage, cost, calls: all, ...failed }
        stdout.write(`${safeJson(JSON.stringify(said))}\n`)
      } else if (finishReason !== 'complete')
        tell([`${endWords(finishReason)}.`, error && safeText(error), ADVICE[finishReason]].filter(Boolean).join(' '))
      return finishReason === 'complete'
    }
    if (fault !== undefined) throw fault
    throw new Problem(
      'SHUTTING_DOWN',
      `Left before the answer was complete. segno chat --session ${session.id} goes on.`,
    )
  } finally {
    stop.abort()
    await asking
    process.off('SIGINT', onInterrupt).off('SIGTERM', onInterrupt)
  }
}
