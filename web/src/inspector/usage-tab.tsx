import type { BudgetView } from '../../../src/contract/account.ts'
import type { Page } from '../../../src/client/index.ts'
import { addUsage, NO_USAGE, type Usage } from '../../../src/contract/message.ts'
import type { UsageView } from '../../../src/contract/views.ts'
import { count, money } from '../parts/format.ts'
import { Problem } from '../parts/attempt.tsx'
import { useFollowed, useSession } from '../state/session.ts'
import { useStore } from '../state/store.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { inspected } from './inspected.ts'
import { roundsIn } from '../log/session-log.ts'
import { useReading } from './use-reading.ts'

/** Tokens and money: of this round, of this conversation, and what is left for today. */
export function UsageTab() {
  const { id } = useSession()
  const { log } = useFollowed()
  const { requestId } = useStore(inspected)
  const lines = useReading<Page<UsageView>>(`/api/usage?session=${encodeURIComponent(id)}`)
  const budget = useReading<BudgetView>('/api/budget')
  const ended = roundsIn(log).filter(({ finish }) => finish)
  const finish = (ended.find((one) => one.requestId === requestId) ?? ended.at(-1))?.finish
  const error = lines.error ?? budget.error
  return (
    <>
      <Problem text={error} />
      <h3 className="insp-title">{requestId === undefined ? 'The last round' : 'This round'}</h3>
      {finish ? (
        <Spent usage={finish.usage} cost={finish.cost} />
      ) : (
        <p className="insp-note">No round has ended yet.</p>
      )}
      {lines.value && <OfConversation lines={lines.value.items} />}
      {budget.value && <Left budget={budget.value} />}
    </>
  )
}

function OfConversation({ lines }: { lines: readonly UsageView[] }) {
  const usage = lines.reduce((sum, line) => addUsage(sum, line.usage), NO_USAGE)
  const dearest = Math.max(...lines.map(amountOf), 1)
  return (
    <>
      <h3 className="insp-title">
        This conversation<small>{rounds(lines.reduce((sum, line) => sum + line.rounds, 0))}</small>
      </h3>
      <Spent usage={usage} cost={lines.reduce((sum, line) => sum + line.cost, 0)} />
      {lines.length > 0 && <h3 className="insp-title">By model</h3>}
      {lines.map((line) => (
        <Bar
          key={line.model}
          name={<VisibleText text={line.model} />}
          share={amountOf(line) / dearest}
          words={`${money(line.cost, line.usage.unpriced)} · ${rounds(line.rounds)} · ${count(line.usage.input + line.usage.output)} tokens`}
        />
      ))}
    </>
  )
}

const rounds = (number: number): string => `${number} ${number === 1 ? 'round' : 'rounds'}`
/** Models without a price are compared by what they read and wrote. */
const amountOf = ({ cost, usage }: UsageView): number => cost || usage.input + usage.output

function Spent({ usage, cost }: { usage: Usage; cost: number }) {
  const { input, output, cachedRead = 0, cachedWrite = 0, reasoning = 0, estimated } = usage
  const whole = Math.max(input, output, 1)
  return (
    <>
      <p className="insp-money">
        {money(cost, usage.unpriced)}
        {estimated && <small> tokens are estimated</small>}
      </p>
      <Bar
        name="In"
        share={input / whole}
        part={cachedRead / whole}
        words={[
          `${count(input)} tokens`,
          ...(cachedRead > 0 ? [`${count(cachedRead)} of them from the cache`] : []),
          ...(cachedWrite > 0 ? [`${count(cachedWrite)} put there`] : []),
        ].join(', ')}
      />
      <Bar
        name="Out"
        share={output / whole}
        words={`${count(output)} tokens${reasoning > 0 ? `, ${count(reasoning)} of them reasoning` : ''}`}
      />
    </>
  )
}

function Left({ budget: { dailyTokens, dailyToolCost, dailyCost, left } }: { budget: BudgetView }) {
  const limits = [
    ['Tokens', dailyTokens, left.tokens, count],
    ['Tools', dailyToolCost, left.tools, money],
    ['Everything', dailyCost, left.cost, money],
  ] as const
  const set = limits.filter(([, limit]) => limit !== null)
  return (
    <>
      <h3 className="insp-title">
        My budget today<small>UTC</small>
      </h3>
      {set.length === 0 && <p className="insp-note">There is no limit for you.</p>}
      {set.map(([name, limit, rest, write]) => {
        const used = Math.max(0, (limit ?? 0) - (rest ?? 0))
        return (
          <Bar
            key={name}
            name={name}
            share={limit ? used / limit : 1}
            words={`${write(used)} of ${write(limit ?? 0)} used, ${write(Math.max(0, rest ?? 0))} left`}
            isFull={(rest ?? 0) <= 0}
          />
        )
      })}
    </>
  )
}

interface BarProps {
  readonly name: React.ReactNode
  readonly share: number
  readonly part?: number
  readonly words: string
  readonly isFull?: boolean
}

/** `part`: the share of it that came from the cache. */
function Bar({ name, share, part = 0, words, isFull = false }: BarProps) {
  return (
    <div className="insp-amount">
      <span>{name}</span>
      <span className="insp-meter" aria-hidden="true">
        <span className={isFull ? 'insp-level full' : 'insp-level'} style={{ width: `${Math.min(1, share) * 100}%` }} />
        <span className="insp-cached" style={{ width: `${Math.min(1, part) * 100}%` }} />
      </span>
      <span className="insp-amount-words">{words}</span>
    </div>
  )
}
