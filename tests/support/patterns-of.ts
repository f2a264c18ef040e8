import { parseSync } from 'rolldown/utils'

/** A regular expression as it stands in a source, or how one is put together there. */
export interface FoundPattern {
  readonly path: string
  readonly source: string
  readonly flags: string
  /** it is only known when the program runs */
  readonly isBuilt: boolean
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

/** Every pattern of a source: literals, `new RegExp`, and the field `pattern` of a JSON Schema. */
export function patternsOf(path: string, text: string): FoundPattern[] {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} cannot be read: ${errors[0]?.message}`)
  const found = [...nodesOf(program)].flatMap((node) => patternAt(node, text) ?? [])
  return found.map((one) => ({ path, ...one }))
}

function patternAt(node: Node, text: string): Omit<FoundPattern, 'path'> | undefined {
  if (node.type === 'Literal' && isRegex(node['regex'])) {
    const { pattern, flags } = node['regex']
    return { source: pattern, flags, isBuilt: false }
  }
  if (node.type === 'NewExpression' || node.type === 'CallExpression') {
    const { name } = node['callee'] as { name?: string }
    return name === 'RegExp' ? { source: text.slice(node.start, node.end), flags: '', isBuilt: true } : undefined
  }
  if (node.type !== 'Property') return undefined
  const [key, value] = [node['key'] as { name?: string }, node['value'] as { type: string; value?: unknown }]
  const isSchema = key.name === 'pattern' && value.type === 'Literal' && typeof value.value === 'string'
  return isSchema ? { source: value.value as string, flags: '', isBuilt: false } : undefined
}

function isRegex(value: unknown): value is { pattern: string; flags: string } {
  return typeof value === 'object' && value !== null && 'pattern' in value
}

/** All nodes of a syntax tree; a literal's own `regex` is no node. */
function* nodesOf(root: unknown): Generator<Node> {
  const open: unknown[] = [root]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue
    if (!Array.isArray(next) && typeof (next as Node).type === 'string') yield next as Node
    for (const below of Object.values(next)) if (typeof below === 'object' && below !== null) open.push(below)
  }
}
