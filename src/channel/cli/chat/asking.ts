import type { Api } from './api.ts'
import { choicesText } from './approval-text.ts'
import { createDialog, type Dialog } from './dialog.ts'
import type { Transcript } from './transcript.ts'

export interface Asking {
  /** what somebody is asked now */
  readonly dialog: Dialog | undefined
  /** Frames have come: opens what is to be asked next, closes what was decided. */
  look(): void
}

export interface AskingOptions {
  readonly api: Api
  /** choices are shown under the transcript; elsewhere they are written into it */
  readonly isLive: boolean
  transcript(): Transcript
  say: Transcript['say']
  /** Lets something go on, and tells its problems. */
  background(work: Promise<void>): void
}

/** Asks about one approval after the other. Others may decide them meanwhile. */
export function createAsking({ api, isLive, transcript, say, background }: AskingOptions): Asking {
  const seen = new Set<string>()
  let open: Dialog | undefined
  let isFetching = false

  const next = (): string | undefined => transcript().pending.find((id) => !seen.has(id))

  async function fetchNext(): Promise<void> {
    const waiting = await api.pending()
    const id = next()
    if (id === undefined) return
    seen.add(id)
    const asked = waiting.find((one) => one.id === id)
    // One that is in the log but waits no more was decided before we came.
    if (!asked) return
    open = createDialog(asked, api, say)
    if (!isLive) say(choicesText(asked), undefined, 'ask')
  }

  async function fetchAll(): Promise<void> {
    isFetching = true
    try {
      while (!open && next() !== undefined) await fetchNext()
    } finally {
      isFetching = false
    }
  }

  return {
    get dialog() {
      return open && !open.isOver ? open : undefined
    },
    look() {
      if (open && !transcript().pending.includes(open.asked.id)) {
        if (!open.isOver && transcript().open) say('  decided    by somebody else, or too late', 'dim', 'ask')
        open = undefined
      }
      if (!open && !isFetching && next() !== undefined) background(fetchAll())
    },
  }
}
