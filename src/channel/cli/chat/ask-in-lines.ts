import { createInterface } from 'node:readline/promises'
import { approvalLines, choiceOf, choicesText, detailsText, type Asked } from './approval-text.ts'
import { safeText } from './safe-text.ts'

/** Asks whoever sits at the terminal, in lines. Who closes the input says no; undefined: it was interrupted. */
export async function askInLines(
  asked: Asked,
  { stdin, stderr }: { readonly stdin: NodeJS.ReadStream; readonly stderr: NodeJS.WriteStream },
  interrupted: AbortSignal,
): Promise<object | undefined> {
  const tell = (text: string): void => void stderr.write(`${safeText(text)}\n`)
  // As the terminal edits lines itself: then Ctrl-C is a signal, here as everywhere.
  const lines = createInterface({ input: stdin, output: stderr, terminal: false })
  const closed = new AbortController()
  lines.once('close', () => closed.abort())
  const signal = AbortSignal.any([interrupted, closed.signal])
  try {
    for (const [text] of approvalLines(asked)) tell(text)
    for (;;) {
      const typed = await lines.question(`${choicesText(asked)}  `, { signal })
      switch (choiceOf(typed.trim(), asked)) {
        case 'approve':
          return { decision: 'approve' }
        case 'session':
          return { decision: 'approve', remember: 'session' }
        case 'deny':
          return { decision: 'deny' }
        case 'details':
          tell(detailsText(asked, undefined))
          break
        case undefined:
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error
    return interrupted.aborted ? undefined : { decision: 'deny' }
  } finally {
    lines.close()
  }
}
