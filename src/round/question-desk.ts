import { happened } from '../contract/event.ts'
import type { JsonObject } from '../contract/message.ts'
import type { Answer, Question } from '../contract/tool.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import { sha256 } from '../lib/hash.ts'
import { newId } from '../lib/id.ts'
import { findCall, staleQuestion, type Answered, type Call } from '../session/index.ts'
import { roundOf, type Work } from './work.ts'

const NOBODY: Answer = { action: 'cancel' }

interface Asked {
  readonly callId: string
  readonly question: Question
  readonly answer: (answer: Answer) => void
  /** resolved when the call that asks is over */
  readonly over: Promise<void>
}

/** Where running calls leave their questions. The loop takes them up: it alone writes to the log. */
export class QuestionDesk {
  #queue: Asked[] = []
  #arrived = Promise.withResolvers<void>()
  readonly #over = new Map<string, PromiseWithResolvers<void>>()
  readonly #known: Map<string, Answered[]>

  /** What people answered to these calls before their process died is given to the same questions again. */
  constructor(calls: readonly Call[]) {
    this.#known = new Map(calls.map(({ callId, answers }) => [callId, answers.filter(isWord)]))
  }

  /** A call begins. */
  open(callId: string): void {
    this.#over.set(callId, Promise.withResolvers())
  }

  /** A call is over: what it asks from now on, and what nobody has taken up yet, has no answer. */
  close(callId: string): void {
    this.#over.get(callId)?.resolve()
    this.#over.delete(callId)
    for (const asked of this.#queue) if (asked.callId === callId) asked.answer(NOBODY)
    this.#queue = this.#queue.filter((asked) => asked.callId !== callId)
  }

  ask(callId: string, question: Question): Promise<Answer> {
    const over = this.#over.get(callId)
    if (!over) return Promise.resolve(NOBODY)
    const { promise, resolve } = Promise.withResolvers<Answer>()
    this.#queue.push({ callId, question, answer: resolve, over: over.promise })
    this.#arrived.resolve()
    return promise
  }

  /** Resolves when there is a question, which may be gone again. */
  get arrival(): Promise<void> {
    return this.#arrived.promise
  }

  /** The next answer that a call had to this question, once. */
  known(callId: string, argsHash: string): Answered | undefined {
    const answers = this.#known.get(callId) ?? []
    const at = answers.findIndex((one) => one.argsHash === argsHash)
    return at < 0 ? undefined : answers.splice(at, 1)[0]
  }

  take(): Asked | undefined {
    const asked = this.#queue.shift()
    if (this.#queue.length === 0) this.#arrived = Promise.withResolvers()
    return asked
  }
}

/** A call that takes longer than this makes everything before it durable and visible. */
const SLOW_CALL_MS = 20

/**
 * Waits until calls are over. Meanwhile it stores what came before them if they take long, and puts their questions
 * before a person, one after the other.
 */
export async function attend<T>(running: Promise<T>, desk: QuestionDesk, work: Work): Promise<T> {
  const { session, signal } = work
  let isOver = false
  const over = running.then(
    () => void (isOver = true),
    () => void (isOver = true),
  )
  const slow = Promise.withResolvers<void>()
  let isSlow = false
  const timer = setTimeout(() => {
    isSlow = true
    slow.resolve()
  }, SLOW_CALL_MS)
  try {
    for (;;) {
      await Promise.race([over, desk.arrival, ...(isSlow ? [] : [slow.promise])])
      if (isOver) return await running
      if (isSlow) await session.flush(signal)
      const asked = desk.take()
      if (asked) await answerTo(asked, desk, work)
    }
  } finally {
    clearTimeout(timer)
  }
}

/** Who asked hears something in any case: the clock of its call stands still until then. */
async function answerTo(asked: Asked, desk: QuestionDesk, work: Work): Promise<void> {
  let answer = NOBODY
  try {
    answer = await put(asked, desk, work)
  } finally {
    asked.answer(answer)
  }
}

/**
 * A question as an approval of its own: stored, shown, decided where all others are. It lives as long as its call, and
 * what came of it is stored before the call acts upon it.
 */
async function put({ callId, question, over }: Asked, desk: QuestionDesk, work: Work): Promise<Answer> {
  const { session, mailbox, hands, signal } = work
  if (!roundOf(work).started.attended || signal.aborted) return NOBODY
  const approvalId = newId()
  const expiresAt = hands.clock.now() + hands.settings.questionMs
  const request = requestOf(callId, approvalId, expiresAt, question, work)
  const known = desk.known(callId, request.argsHash)
  if (known) return answerOf(known)
  session.append(happened('approval.requested', request))
  await session.flush(signal)
  let isOver = false
  void over.then(() => (isOver = true))
  for (;;) {
    mailbox.fold()
    const call = findCall(roundOf(work), callId) as Call
    const left = expiresAt - hands.clock.now()
    if (call.question?.approvalId === approvalId) {
      if (isOver) session.append(...staleQuestion(call))
      else if (left <= 0)
        session.append(happened('approval.decided', { approvalId, callId, decision: 'expired', by: 'system' }))
    }
    if (call.question?.approvalId !== approvalId) {
      if (!isOver) await session.flush(signal)
      return answerOf(call.answers.at(-1))
    }
    await Promise.race([over, mailbox.arrival(AbortSignal.timeout(Math.min(left, LOOK_MS)))])
  }
}

/** Time may be a test's: it is looked at again now and then. */
const LOOK_MS = 1000

function requestOf(callId: string, approvalId: string, expiresAt: number, asked: Question, work: Work) {
  const { message, schema } = JSON.parse(work.hands.redact(JSON.stringify(asked))) as Question
  const question = { message, ...(schema && { schema: schema as JsonObject }) }
  const { name } = findCall(roundOf(work), callId) as Call
  return {
    approvalId,
    callId,
    tool: name,
    args: question,
    argsHash: sha256(canonicalJson(question)),
    definitionHash: '',
    target: message,
    reason: `${name} asks while it runs`,
    rememberable: false,
    expiresAt,
    question,
  }
}

function answerOf(answered: Answered | undefined): Answer {
  const { decision, content = {} } = answered?.decided ?? {}
  if (decision === 'approve') return { action: 'accept', content }
  return decision === 'deny' ? { action: 'decline' } : NOBODY
}

/** That a question expired or went stale is nobody's word. */
const isWord = ({ decided }: Answered): boolean => decided.decision === 'approve' || decided.decision === 'deny'
