import type { EffectClass, Protocol } from '../../src/contract/outcome.ts'
import { throwDice, type Dice } from './dice.ts'
import { EFFECTS } from './effect-tools.ts'
import type { Episode, Kill } from './plan.ts'
import type { PointName } from './points.ts'
import { POINTS, SENT, CONDITIONS, type Condition } from './conditions.ts'

/** An episode and how often and where its processes die before one may finish it. */
export interface Doomed {
  readonly episode: Episode
  readonly kills: readonly Kill[]
}

/** Points where a round is running, so that whoever comes next has to take it over. */
const ORPHANING: readonly PointName[] = [
  'after user message',
  'text delta',
  'before tool.result',
  'in tool, after its effect',
  'in tool, during its effect',
]
const IN_TOOL: readonly PointName[] = [
  'in tool, before its effect',
  'in tool, during its effect',
  'in tool, after its effect',
]

/** Those that can be come to here: without a sandbox there is no shell. */
export function pointsWith(bash: boolean): PointName[] {
  return POINTS.filter((point) => bash || CONDITIONS[point].by !== 'bash')
}

/** Every point once for each pass, each time with another class and protocol, until there are enough kills. */
export function planKills(
  seed: number,
  kills: number,
  { only, withBash = true }: { only?: PointName | undefined; withBash?: boolean } = {},
): Doomed[] {
  const dice = throwDice(seed)
  const points = only === undefined ? pointsWith(withBash) : [only]
  const turns = new Map(points.map((point) => [point, dice.shuffled(combinations(CONDITIONS[point]))]))
  const taken = new Map<PointName, number>()
  function next(point: PointName): [EffectClass, Protocol] {
    const at = taken.get(point) ?? 0
    taken.set(point, at + 1)
    const choices = turns.get(point) ?? []
    return choices[at % choices.length] as [EffectClass, Protocol]
  }
  const planned: Doomed[] = []
  let count = 0
  while (count < kills) {
    const round = points.flatMap((point) => new Array<PointName>(CONDITIONS[point].times ?? 1).fill(point))
    for (const point of dice.shuffled(round)) {
      const [effect, protocol] = next(point)
      const doomed = doom(dice, `${planned.length + 1}`, point, effect, protocol, withBash)
      planned.push(doomed)
      count += doomed.kills.length
    }
  }
  return planned
}

function combinations(condition: Condition): [EffectClass, Protocol][] {
  return (condition.effects ?? EFFECTS).flatMap((effect) =>
    (['unified', 'triggered'] as const).map((protocol): [EffectClass, Protocol] => [effect, protocol]),
  )
}

function doom(
  dice: Dice,
  id: string,
  point: PointName,
  effect: EffectClass,
  protocol: Protocol,
  withBash: boolean,
): Doomed {
  const condition = CONDITIONS[point]
  const by = condition.by ?? someProcess(dice, condition, effect, withBash)
  const asks = condition.asks === true || by !== undefined || dice.between(1, 4) === 1
  const denied = asks && !condition.runs && dice.between(1, 4) === 1
  const episode: Episode = {
    id,
    protocol,
    effect,
    calls: dice.oneOf([1, 1, 2]),
    ...(by && { by }),
    ...(by === 'mcp' && dice.between(1, 3) === 1 && { serverDies: dice.oneOf(['before', 'after'] as const) }),
    ...((condition.question || (condition.inTool && dice.between(1, 10) === 1)) && { question: true }),
    ...((condition.later || (condition.inTool && !condition.fork && dice.between(1, 10) === 1)) && { later: true }),
    ...(asks && { decision: denied ? 'deny' : 'approve' }),
    ...(condition.fork && { fork: forkMoment(dice, asks, denied) }),
    ...(condition.second && { second: asks ? 'queue' : dice.oneOf(['queue', 'interrupt']) }),
    ...(!condition.fork &&
      !condition.second &&
      !condition.runs &&
      !asks &&
      dice.between(1, 8) === 1 && { misfit: true, calls: 2 }),
    ...(condition.cancel && { cancel: true }),
    ...(dice.between(1, 4) === 1 && { bystanders: dice.between(1, 3) }),
    ...(condition.drag !== undefined && { drag: condition.drag, toolMs: condition.drag }),
  }
  const last: Kill = { point, nth: dice.between(1, condition.perCall ? episode.calls : (condition.nth ?? 1)) }
  if (condition.orphanedCall) return { episode, kills: [{ point: dice.oneOf(IN_TOOL), nth: 1 }, last] }
  if (!condition.orphan) return { episode, kills: [last, ...again(dice, episode)] }
  const first = dice.oneOf(ORPHANING.filter((one) => !one.startsWith('in tool') || episode.decision !== 'deny'))
  return { episode, kills: [{ point: first, nth: 1 }, last, ...again(dice, episode)] }
}

/** Now and then what is called is a process of its own, where nothing depends on what happens inside it. */
function someProcess(dice: Dice, condition: Condition, effect: EffectClass, withBash: boolean): Episode['by'] {
  if (condition.inTool || condition.orphan || dice.between(1, 8) > 1) return undefined
  if (effect === 'unsafe' && withBash && dice.between(1, 2) === 1) return 'bash'
  return SENT.includes(effect) ? dice.oneOf(['mcp', 'workflow'] as const) : undefined
}

function forkMoment(dice: Dice, asks: boolean, denied: boolean): NonNullable<Episode['fork']> {
  return dice.oneOf([
    'ended',
    'asked',
    ...(asks ? (['waiting'] as const) : []),
    ...(denied ? [] : (['running'] as const)),
  ])
}

/** Now and then the recovery is killed too, and the recovery of the recovery. */
function again(dice: Dice, { bystanders }: Episode): Kill[] {
  if (bystanders || dice.between(1, 5) > 1) return []
  const kill = (): Kill => ({ point: dice.oneOf(['before round.resumed', 'after round.resumed']), nth: 1 })
  return dice.between(1, 2) === 1 ? [kill()] : [kill(), kill()]
}
