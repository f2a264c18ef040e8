import { setTimeout as delay } from 'node:timers/promises'
import { draftEvent } from '../contract/event.ts'
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
  /** resolves when the call has ended */
  readonly over: Promise<void>
}

/** The questions of running calls, which the loop takes, because only it writes to the log. */
export class OpenQuestions {
  #queue: Asked[] = []
  #arrived = Promise.withResolvers<void>()
  readonly #over = new Map<string, PromiseWithResolvers<void>>()
  readonly #known: Map<string, Answered[]>

  /** Answers from before a restart are used again for the same questions. */
  constructor(calls: readonly Call[]) {
    this.#known = new Map(calls.map(({ callId, answers }) => [callId, answers.filter(isByPerson)]))
  }

  open(callId: string): void {
    this.#over.set(callId, Promise.withResolvers())
  }

  /** The call has ended: its waiting and later questions get no answer. */
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

  /** Resolves when a question comes, which may be gone again. */
  get arrival(): Promise<void> {
    return this.#arrived.promise
  }

  /** An earlier answer of this call to the same question; each is used once. */
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

/** After this time of a running call, everything before it is stored. */
const SLOW_CALL_MS = 20

/** Waits for running calls; meanwhile it stores the events before them and puts their questions to a person. */
export async function attend<T>(running: Promise<T>, questions: OpenQuestions, work: Work): Promise<T> {
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
      await Promise.race([over, questions.arrival, ...(isSlow ? [] : [slow.promise])])
      if (isOver) return await running
      if (isSlow) await session.flush(signal)
      const asked = questions.take()
      if (asked) await answerTo(asked, questions, work)
    }
  } finally {
    clearTimeout(timer)
  }
}

/** Always answers, because the time of the call stands still until then. */
async function answerTo(asked: Asked, questions: OpenQuestions, work: Work): Promise<void> {
  let answer = NOBODY
  try {
    answer = await askPerson(asked, questions, work)
  } finally {
    asked.answer(answer)
  }
}

/** Asks as an approval that lives as long as its call; the answer is stored before the call gets it. */
async function askPerson({ callId, question, over }: Asked, questions: OpenQuestions, work: Work): Promise<Answer> {
  const { session, mailbox, deps, signal } = work
  if (!roundOf(work).started.attended || signal.aborted) return NOBODY
  const approvalId = newId()
  const expiresAt = deps.clock.now() + deps.settings.questionMs
  const request = requestOf(callId, approvalId, expiresAt, question, work)
  const known = questions.known(callId, request.argsHash)
  if (known) return answerOf(known)
  session.append(draftEvent('approval.requested', request))
  await session.flush(signal)
  let isOver = false
  void over.then(() => (isOver = true))
  for (;;) {
    mailbox.fold()
    const call = findCall(roundOf(work), callId) as Call
    const left = expiresAt - deps.clock.now()
    if (call.question?.approvalId === approvalId) {
      if (isOver) session.append(...staleQuestion(call))
      else if (left <= 0)
        session.append(draftEvent('approval.decided', { approvalId, callId, decision: 'expired', by: 'system' }))
    }
    if (call.question?.approvalId !== approvalId) {
      if (!isOver) await session.flush(signal)
      return answerOf(call.answers.at(-1))
    }
    await Promise.race([over, mailbox.arrival, delay(Math.min(left, LOOK_MS), undefined, { ref: false })])
  }
}

/** How often the clock is read, which in tests is not the real time. */
const LOOK_MS = 1000

function requestOf(callId: string, approvalId: string, expiresAt: number, asked: Question, work: Work) {
  const { message, schema } = JSON.parse(work.deps.redact(JSON.stringify(asked))) as Question
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

/** Whether a person decided, not an expiry. */
const isByPerson = ({ decided }: Answered): boolean => decided.decision === 'approve' || decided.decision === 'deny'
