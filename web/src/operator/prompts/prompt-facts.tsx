import { count } from '../../parts/format.ts'
import { useMe } from '../../state/me.ts'
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
