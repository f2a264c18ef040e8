import { count } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { useMe } from '../../state/me.ts'
import { VisibleText } from '../../text/visible-text.tsx'
import { State } from '../parts.tsx'
import { STATUS, type Prompt } from './prompt.ts'

export function Status({ status }: Pick<Prompt, 'status'>) {
  const [words, icon, tone] = STATUS[status]
  return (
    <State icon={icon} tone={tone}>
      {words}
    </State>
  )
}

/** Who approved it; loud where that was its own author. */
export function Reviewer({ reviewer, selfApproved }: Pick<Prompt, 'reviewer' | 'selfApproved'>) {
  if (reviewer === undefined) return '–'
  return (
    <>
      <VisibleText text={reviewer} />
      {selfApproved && (
        <strong className="op-self">
          <Icon name="warn" size={14} /> self-approved
        </strong>
      )}
    </>
  )
}

/** Against the limit: the server refuses to make active what is longer. `unit`: for where no heading says it. */
export function Tokens({ tokens, unit = '' }: Pick<Prompt, 'tokens'> & { unit?: string }) {
  const most = useMe()?.limits.promptTokens ?? Infinity
  const words = `${count(tokens)}${most === Infinity ? '' : ` of ${count(most)}`}${unit}`
  return tokens <= most ? (
    words
  ) : (
    <State icon="warn" tone="danger">
      {words}: too long to be made active
    </State>
  )
}
