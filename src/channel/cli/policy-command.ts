import { Problem } from '../../contract/problem.ts'
import type { Reached } from './reach.ts'

export interface ExplainFlags {
  readonly mode?: string
  readonly workspace?: string
  readonly tainted?: boolean
}

interface Explained {
  readonly verdict: {
    readonly kind: 'allow' | 'ask' | 'refuse'
    readonly code?: string
    readonly rememberable?: boolean
  }
  readonly decidedBy: string
  readonly because: string
  readonly fitting: readonly number[]
}

/** Why a call would be allowed, asked about or refused. */
export async function explainPolicy(
  { ask }: Reached,
  tool: string,
  text: string | undefined,
  { mode, workspace, tainted }: ExplainFlags,
  json: boolean,
): Promise<string> {
  const answer = await ask('POST', '/api/policy/explain', {
    tool,
    args: argumentsOf(text),
    ...(mode !== undefined && { mode }),
    ...(workspace !== undefined && { workspaceId: workspace }),
    ...(tainted === true && { tainted }),
  })
  const found = (await answer.json()) as Explained
  if (json) return JSON.stringify(found)
  const { verdict, decidedBy, because, fitting } = found
  return [
    `${tool}: ${wordsOf(verdict)}`,
    `  because     ${because}`,
    `  decided by  ${decidedBy}`,
    `  rules       ${fitting.length === 0 ? 'none fits' : `${fitting.join(', ')} ${fitting.length > 1 ? 'fit; the first one counts' : 'fits'}`}`,
  ].join('\n')
}

function wordsOf({ kind, code, rememberable }: Explained['verdict']): string {
  switch (kind) {
    case 'allow':
      return 'allowed'
    case 'ask':
      return `a person is asked${rememberable === true ? '' : ', each time'}`
    case 'refuse':
      return `refused (${code})`
  }
}

function argumentsOf(text: string | undefined): object {
  if (text === undefined) return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // told below
  }
  throw new Problem(
    'VALIDATION_ERROR',
    `The arguments must be a JSON object, such as '{"url": "https://example.org"}'.`,
  )
}
