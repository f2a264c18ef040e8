import { throwDice } from '../../crash/dice.ts'
import { converse } from '../converse.ts'
import { readExpected, type Expected } from '../expected.ts'
import { ordinaryFrames } from '../ordinary.ts'
import type { Answer } from '../playing-server.ts'
import { readRecording } from '../read-recording.ts'
import { openStage, type Stage, type StageOptions } from '../stage.ts'
import { judgeCut } from './judge-cut.ts'
import { boundaryCuts, byteCuts, bytesOf, type CutCase } from './plan-cuts.ts'

export interface CutsOptions {
  readonly files: readonly string[]
  readonly seed: number
  /** places anywhere in each recording, besides the boundaries between its chunks */
  readonly bytes: number
  /** only so many cases of each recording, chosen by chance */
  readonly each?: number
  readonly between?: StageOptions['between']
  onProgress?(done: number, of: number, violations: number): void
}

export interface CutsReport {
  readonly cases: number
  readonly retried: number
  readonly runs: number
  /** what was wrong, and with which case */
  readonly violations: readonly string[]
}

/** Sessions that are held at once. */
const AT_ONCE = 8

export async function runCuts(options: CutsOptions): Promise<CutsReport> {
  const dice = throwDice(options.seed)
  const recordings = options.files.map(readRecording)
  const expectations = new Map(options.files.map((file, at) => [recordings[at]?.name, readExpected(file)]))
  const cases = recordings.flatMap((recording) => {
    const all = [...boundaryCuts(recording, dice), ...byteCuts(recording, options.bytes, dice)]
    return options.each === undefined ? all : dice.shuffled(all).slice(0, options.each)
  })
  const withheld = new Set([...expectations.values()].flatMap((expected) => expected?.notOffered ?? []))
  const called = recordings.flatMap(({ contents }) => contents.calls.map(({ name }) => name))
  const tools = called.filter((name) => !withheld.has(name))
  const stage = await openStage({ tools, ...(options.between && { between: options.between }) })
  const violations: string[] = []
  let retried = 0
  let runs = 0
  let done = 0
  let next = 0
  async function work(): Promise<void> {
    for (let cut = cases[next++]; cut; cut = cases[next++]) {
      const one = await runCut(stage, cut, expectations.get(cut.recording.name))
      violations.push(...one.faults.map((fault) => `${nameOf(cut)}: ${fault}`))
      retried += one.attempts > 1 ? 1 : 0
      runs += one.runs
      done += 1
      options.onProgress?.(done, cases.length, violations.length)
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    const { ok } = await stage.segno.check()
    if (!ok) violations.push('the store does not hold together any more')
  } finally {
    await stage.close()
  }
  return { cases: done, retried, runs, violations }
}

async function runCut(stage: Stage, cut: CutCase, expected: Expected | undefined) {
  try {
    const conversation = await converse(stage, cut.recording, cut.protocol, (attempt) => answerOf(cut, attempt))
    const faults = judgeCut(cut, conversation, expected)
    return { faults, attempts: conversation.attempts, runs: conversation.runs.length }
  } catch (error) {
    return { faults: [(error as Error).message], attempts: 0, runs: 0 }
  }
}

function answerOf({ recording, cuts, afterwards }: CutCase, attempt: number): Answer {
  const { all } = bytesOf(recording)
  const cut = cuts[attempt - 1]
  if (cut) return { pieces: cut.bytes === 0 ? [] : [all.subarray(0, cut.bytes)], ending: cut.ending }
  return { pieces: afterwards === 'recording' ? [all] : ordinaryFrames(recording), ending: 'end' }
}

/** Enough to find it again. */
function nameOf({ recording, protocol, cuts, afterwards }: CutCase): string {
  const where = cuts.map(({ bytes, ending }) => `byte ${bytes} (${ending})`).join(', then at ')
  return `${recording.name} (${protocol}) cut at ${where}, then ${afterwards}`
}
