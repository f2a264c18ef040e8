import { dictsOf, isDict, type Dict } from '../strict-provider/values.ts'

/** What the input of requests costs, in tokens at the full price. */
export interface Bill {
  readonly cost: number
  /** with a cache that never misses: each token is written once and read from then on */
  readonly ideal: number
}

const READ = 0.1
const WRITE = 1.25
/** How many blocks before a mark the provider looks for something it knows. */
const LOOKBACK = 20
/** Shorter beginnings are not kept. */
const LEAST_TOKENS = 1024
const MOST_MARKS = 4
const CHARS_PER_TOKEN = 4

interface Block {
  /** this block and all before it, as they are told apart */
  readonly prefix: string
  /** tokens up to here, this block included */
  readonly upTo: number
  readonly isMarked: boolean
}

/** Sends these requests, one after the other, to a cache that works as Anthropic describes its own. */
export function anthropicBill(bodies: readonly Dict[]): Bill {
  const kept = new Set<string>()
  let cost = 0
  let ideal = 0
  let before = 0
  for (const body of bodies) {
    const blocks = blocksOf(body)
    const all = blocks.at(-1)?.upTo ?? 0
    const marks = blocks.flatMap(({ isMarked }, at) => (isMarked ? [at] : []))
    if (marks.length > MOST_MARKS)
      throw new Error(`${marks.length} marks in a request, at most ${MOST_MARKS} are taken`)
    const read = Math.max(0, ...marks.map((mark) => longestKept(blocks, mark, kept)))
    const written = Math.max(read, ...marks.map((mark) => keptAt(blocks[mark] as Block)))
    for (const mark of marks) if (keptAt(blocks[mark] as Block) > 0) kept.add((blocks[mark] as Block).prefix)
    cost += read * READ + (written - read) * WRITE + (all - written)
    const again = Math.min(before, all)
    ideal += again * READ + (all - again) * WRITE
    before = all
  }
  return { cost, ideal }
}

const keptAt = ({ upTo }: Block): number => (upTo >= LEAST_TOKENS ? upTo : 0)

function longestKept(blocks: readonly Block[], mark: number, kept: ReadonlySet<string>): number {
  const near = blocks.slice(Math.max(0, mark - LOOKBACK + 1), mark + 1)
  return near.findLast(({ prefix }) => kept.has(prefix))?.upTo ?? 0
}

/** Everything sent in the order of the cache: tools, system texts, messages; other settings belong to the messages. */
function blocksOf(body: Dict): Block[] {
  const { tools, system, messages, tool_choice, thinking } = body
  const first = [...dictsOf(tools), ...dictsOf(system)]
  const said = dictsOf(messages).flatMap(({ role, content }) =>
    dictsOf(Array.isArray(content) ? content : [{ type: 'text', text: content }]).map((block): Dict => ({
      role,
      ...block,
    })),
  )
  const settings = JSON.stringify([tool_choice, thinking])
  let prefix = ''
  let upTo = 0
  return [...first, ...said].map((block, at) => {
    const text = withoutMark(block)
    prefix += at === first.length ? settings + text : text
    upTo += Math.ceil(text.length / CHARS_PER_TOKEN)
    return { prefix, upTo, isMarked: isDict(block['cache_control']) }
  })
}

const withoutMark = ({ cache_control: _, ...block }: Dict): string => JSON.stringify(block)
