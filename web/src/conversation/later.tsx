import type { CallStep } from '../log/round-picture.ts'
import { hrefWith } from '../operator/filters.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { laterName, sinceWords } from './call-words.ts'

/** What a call waits for or waited for, since when, and the way to its run. */
export function Later({ call }: { call: CallStep }) {
  const { submitted, result } = call
  if (!submitted) return null
  return (
    <span>
      <VisibleText
        text={
          result ? `Handed over to ${laterName(call)}.` : `Waiting for ${laterName(call)} ${sinceWords(submitted)}.`
        }
      />{' '}
      {submitted.kind === 'workflow' && (
        <a href={hrefWith('workflows', { view: 'runs', id: submitted.ref })}>See its run</a>
      )}
    </span>
  )
}
