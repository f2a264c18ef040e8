import { randomUUID } from 'node:crypto'
import type { Client, FollowStatus, Frame, NewSession, Session, WireEvent, WireEventOf } from '../../../client/index.ts'
import type { ApprovalDecided } from '../../../contract/call-events.ts'
import { textOf } from '../../../contract/message.ts'
import { isCountLimit, type FinishReason } from '../../../contract/outcome.ts'
import { Problem } from '../../../contract/problem.ts'
import type { CitedView } from '../../../contract/views.ts'
import { readAnswer } from '../../../lib/read-answer.ts'
import { safeJson, safeOutput } from '../safe-output.ts'
import { askedLines, waitingWords, type Asked } from './approval-text.ts'
import { askInLines } from './ask-in-lines.ts'
import type { Dialog } from './dialog.ts'
import { callLine, type ShownCall } from './call-line.ts'
import { citedIn, citedLines } from './cited.ts'
import { isRefusal, titleOf } from './first-message.ts'
import { createMarkdownWriter } from './markdown.ts'
import type { AnswerOptions } from './param-words.ts'
import { coloured, plain, wantsColours } from './paint.ts'
import { rememberedLines } from './remembered.ts'
import { safeText } from './safe-text.ts'
import { widthOf } from './screen.ts'
import { createTurnText } from './turn-text.ts'
import { ADVICE, endWords } from './words.ts'

export interface OneShotOptions {
  readonly api: Client
  readonly session: Session | undefined
  readonly message: string
  readonly params: AnswerOptions
  /** where a new conversation is begun */
  readonly place: Pick<NewSession, 'workspaceId'>
  readonly json: boolean
}

const WIDTH = 160

/** Sends one message. The answer goes to stdout, everything else to stderr. True if the answer is complete. */
export async function oneShot(options: OneShotOptions): Promise<boolean> {
  const { api, message, params, json } = options
  const { stdin, stdout, stderr } = process
  const session = options.session ?? (await api.createSession({ title: titleOf(message), ...options.place }))
  const stop = new AbortController()
  const body = { content: message, ...params }
  const { requestId } = await api.send(session.id, body, randomUUID()).catch(async (error: unknown) => {
    // A refused message leaves no empty conversation behind.
    if (!options.session && isRefusal(error)) await api.deleteSession(session.id)
    throw error
  })
  const tell = (text: string): void => void stderr.write(`${safeOutput(text)}\n`)
  const width = (): number => (stderr.isTTY ? widthOf(stderr) : WIDTH)
  const interrupted = new AbortController()
  /** the open question, and whether the person was told what stopping means for it */
  let asked: { readonly about: string; isTold: boolean } | undefined
  const onInterrupt = (signal: NodeJS.Signals): void => {
    if (interrupted.signal.aborted) return stop.abort()
    if (asked && !asked.isTold && signal === 'SIGINT') {
      asked.isTold = true
      return tell(`\nNothing is stopped yet. Ctrl-C again stops the answer, and this will not run: ${asked.about}`)
    }
    interrupted.abort()
    const back = `segno chat --session ${session.id} goes on with this conversation.`
    tell(asked ? `Stopping. This will not run: ${asked.about}\n${back}` : 'Stopping. Ctrl-C again leaves.')
    api.cancel(requestId).catch(() => stop.abort())
  }
  process.on('SIGINT', onInterrupt).on('SIGTERM', onInterrupt)
  const canAsk = stdin.isTTY && stderr.isTTY && !json
  const paint = wantsColours(process.env) ? coloured : plain
  const write = (text: string): void => void stdout.write(text)
  /** where a person watches the answer arrive; a pipe gets it when it is complete */
  const live =
    stdout.isTTY && !json
      ? createTurnText(() => createMarkdownWriter({ width: () => widthOf(stdout), paint, write }))
      : undefined
  let content = ''
  /** told once the answer is complete, so that they do not stand in the middle of it */
  const remembered: string[] = []
  let citations: readonly CitedView[] = []
  /** a JSON object was asked for, and the answer is one */
  let wantsOutput = false
  let output: object | undefined
  const calls = new Map<string, ShownCall & { outcome?: string; effect?: string }>()

  /** what to do when an open approval is decided; they are asked one after the other */
  const open = new Map<string, (decided: ApprovalDecided) => void>()
  let asking = Promise.resolve()
  let fault: Error | undefined

  function see(event: WireEvent): void {
    switch (event.type) {
      case 'round.started':
        wantsOutput = event.data.params?.output !== undefined
        return
      case 'message.assistant': {
        const text = textOf(event.data.content)
        if (event.data.final) {
          content = text
          output = wantsOutput && event.data.misfit === undefined ? readAnswer(text) : undefined
        }
        live?.finish(text)
        return void remembered.push(...rememberedLines(event.data.remembers))
      }
      case 'tool.call':
        return void calls.set(event.data.callId, event.data)
      case 'tool.result': {
        const { callId, name, outcome, effect } = event.data
        const call = { ...(calls.get(callId) ?? { callId, name, args: {} }), outcome, effect }
        calls.set(callId, call)
        live?.pause()
        return tell(callLine(call, event.data, width(), plain))
      }
      case 'tool.submitted': {
        const name = calls.get(event.data.callId)?.name ?? 'a call'
        return tell(`Waits for the result of ${safeText(name)}, which comes later.`)
      }
      case 'approval.requested':
        return ask(event.data.approvalId)
      case 'approval.decided':
        return open.get(event.data.approvalId)?.(event.data)
      case 'turn.started':
      case 'turn.retried':
      case 'round.resumed':
        return live?.restart()
      case 'notice':
        // The end of the round says so, too.
        return event.data.reason === 'model_failed' ? undefined : tell(safeText(event.data.text))
      default:
        return
    }
  }

  /** In the background, because somebody else may decide while it is asked here. */
  function ask(approvalId: string): void {
    const gone = new AbortController()
    open.set(approvalId, () => gone.abort())
    asking = asking
      .then(() => decide(approvalId, gone))
      .catch((error: unknown) => {
        fault = error as Error
        stop.abort()
      })
  }

  async function decide(approvalId: string, gone: AbortController): Promise<void> {
    const approval = (await api.pendingApprovals()).find(({ id }) => id === approvalId)
    if (!approval || gone.signal.aborted) return
    live?.pause()
    if (!canAsk) return deny(approval)
    asked = { about: waitingWords([{ tool: approval.tool, target: approval.display.target }]), isTold: false }
    const signal = AbortSignal.any([interrupted.signal, stop.signal, gone.signal])
    const opened = (dialog: Dialog): void => {
      open.set(approvalId, (decided) => {
        gone.abort()
        dialog.decided(decided)
      })
    }
    await askInLines(approval, { api, signal, opened })
    asked = undefined
  }

  /** Over a pipe nobody can be asked. */
  async function deny(approval: Asked): Promise<void> {
    const { id, tool } = approval
    for (const line of askedLines(approval, { width: width(), paint: plain, isListed: true })) tell(line)
    const how = 'segno chat without a message asks you'
    tell(`${safeText(tool)} needs somebody to allow it, and nobody can be asked here: denied. (${how}.)`)
    try {
      await api.decide(id, { decision: 'deny', reason: 'Nobody can be asked: this message came over a pipe.' })
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'CONFLICT') throw error
      tell(error.message)
    }
  }

  /** Where a person reads the answer its sources stand below it; JSON has those of the last one. */
  async function tellSources(frame: Frame): Promise<void> {
    if (frame.kind !== 'event' || frame.event.requestId !== requestId || (!live && !json)) return
    const cited = await citedIn(api, session.id, frame.event)
    if (frame.event.type === 'message.assistant' && frame.event.data.final) citations = cited
    if (!live || cited.length === 0) return
    for (const line of ['', 'Sources:', ...citedLines(cited, widthOf(stdout))]) write(`${paint('dim', line)}\n`)
  }

  /** Returns whether the answer is complete, once the round has ended. */
  function take(frame: Frame): boolean | undefined {
    if (frame.kind === 'delta' && frame.delta.requestId === requestId && frame.delta.kind === 'text')
      live?.add(frame.delta.offset, frame.delta.text)
    if (frame.kind === 'reset') live?.restart()
    if (frame.kind !== 'event' || frame.event.requestId !== requestId) return undefined
    see(frame.event)
    if (frame.event.type === 'round.paused')
      throw new Problem('CONFLICT', `Somebody paused the answer. segno rounds resume ${requestId} lets it go on.`)
    return frame.event.type === 'round.ended' ? end(frame.event.data) : undefined
  }

  function end({ finishReason, usage, cost, error }: WireEventOf<'round.ended'>['data']): boolean {
    live?.pause()
    if (json) {
      const all = [...calls.values()].map(({ callId, name, outcome, effect }) => ({ callId, name, outcome, effect }))
      const failed = error === undefined ? {} : { error }
      const said = {
        requestId,
        sessionId: session.id,
        content,
        finishReason,
        usage,
        cost,
        calls: all,
        ...failed,
        ...(citations.length > 0 && { citations }),
        ...(output && { output }),
      }
      stdout.write(`${safeJson(JSON.stringify(said))}\n`)
    } else if (!live && content !== '') write(`${safeText(content).trimEnd()}\n`)
    if (!json) remembered.forEach(tell)
    if (!json && finishReason !== 'complete')
      tell([`${endWords(finishReason)}.`, error && safeText(error), advice(finishReason)].filter(Boolean).join(' '))
    return finishReason === 'complete'
  }

  /** There is no line here to type a command in. */
  const advice = (reason: FinishReason): string | undefined =>
    isCountLimit(reason) ? `segno rounds continue ${requestId} lets it go on.` : ADVICE[reason]

  try {
    const onStatus = (status: FollowStatus, problem?: Problem): void => {
      if (status === 'reconnecting') tell(`${problem?.message} Trying again …`)
    }
    for await (const frames of api.follow(session.id, { after: session.seq, signal: stop.signal, onStatus }))
      for (const frame of frames) {
        const isComplete = take(frame)
        if (isComplete !== undefined) return isComplete
        await tellSources(frame)
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
