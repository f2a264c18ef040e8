import { FORMAT_NAMES, type FormatName } from '../support/strict-provider/names.ts'

export interface LeftOut {
  readonly file: string
  /** as it stands in the file */
  readonly title: string
  readonly formats: readonly FormatName[]
  readonly why: string
}

const ALL = FORMAT_NAMES

/** Tests that mean nothing over the wire, or not over this one. */
export const LEFT_OUT: readonly LeftOut[] = [
  {
    file: 'tests/scenarios/protocol/log-order.test.ts',
    title: 'the message that asks for tools keeps the signature of its reasoning',
    formats: ALL,
    why: 'it gives the scripted model a signature of its own; tests/wire/swap.test.ts has real ones',
  },
]
