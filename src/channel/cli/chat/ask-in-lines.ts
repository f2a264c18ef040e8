import { createInterface } from 'node:readline/promises'
import { createDialog, type Dialog, type DialogOptions } from './dialog.ts'
import { plain } from './paint.ts'
import type { Asked } from './approval-text.ts'
import { oneLine, safeText } from './safe-text.ts'
import { widthOf } from './screen.ts'

export interface LinesOptions extends Pick<DialogOptions, 'api'> {
  /** aborted when the answer is no longer needed */
  readonly signal: AbortSignal
  opened(dialog: Dialog): void
}

/** Asks at the terminal, line by line, until it is decided. Closing the input means no. */
export async function askInLines(asked: Asked, { api, signal, opened }: LinesOptions): Promise<void> {
  const { stdin, stderr } = process
  const say = (text: string): void => void stderr.write(`${safeText(text)}\n`)
  // Not in raw mode: so Ctrl-C stays a signal.
  const lines = createInterface({ input: stdin, output: stderr, terminal: false })
  const closed = new AbortController()
  lines.once('close', () => closed.abort())
  const either = AbortSignal.any([signal, closed.signal])
  const put = (rows: readonly string[]): void => void stderr.write(`${rows.join('\n')}\n`)
  const alone = { place: undefined, several: 0 }
  const dialog = createDialog(
    asked,
    { api, isLive: false, paint: plain, width: () => widthOf(stderr), say, put },
    () => alone,
  )
  opened(dialog)
  try {
    while (!dialog.isAnswered) {
      const typed = await lines.question(dialog.field ? `${oneLine(dialog.field.name)} › ` : '› ', { signal: either })
      await (dialog.field ? dialog.fill(typed) : dialog.choose(typed.trim()))
    }
  } catch (error) {
    if (!either.aborted) throw error
    if (!signal.aborted) await dialog.choose('n')
  } finally {
    lines.close()
  }
}
