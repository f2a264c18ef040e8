import type { Api } from './api.ts'
import { createDialog, type Dialog, type DialogOptions } from './dialog.ts'
import type { ChatFrame } from './frames.ts'
import type { Transcript } from './transcript.ts'

export interface AskingOptions extends DialogOptions {
  readonly api: Api
  transcript(): Transcript
  /** Lets something go on, and tells its problems. */
  background(work: Promise<void>): void
}

/** Asks about one approval after the other. Others may decide them meanwhile. */
export function createAsking(options: AskingOptions) {
  const { api, transcript, background } = options
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
    if (asked) open = createDialog(asked, options)
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
    /** what somebody is asked now */
    get dialog() {
      return open && !open.isAnswered && transcript().pending.includes(open.asked.id) ? open : undefined
    },
    /** A frame has come: opens what is to be asked next, closes what was decided. */
    look(frame: ChatFrame): void {
      if (frame.kind === 'event' && frame.event.type === 'approval.decided')
        if (frame.event.data.approvalId === open?.asked.id) open.decided(frame.event.data)
      if (open && !transcript().pending.includes(open.asked.id)) open = undefined
      if (!open && !isFetching && next() !== undefined) background(fetchAll())
    },
  }
}
