import { Problem } from '../../contract/problem.ts'

/** Room for 67 million events in each of 134 million sessions, within JavaScript's safe integers. */
const SESSION = 2 ** 26

export const MAX_SEQ = SESSION - 1

export function eventKey(session: number, seq: number): number {
  if (seq > MAX_SEQ)
    throw new Problem('VALIDATION_ERROR', `A session holds at most ${MAX_SEQ} events; start a new one.`)
  return session * SESSION + seq
}

export function seqOfKey(key: number): number {
  return key % SESSION
}
