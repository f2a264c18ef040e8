import type { Explanation } from '../../policy/index.ts'
import { jsonObject } from './json-object.ts'
import { bodyOf } from './read-answer.ts'
import type { Reached } from './reach.ts'

export interface ExplainFlags {
  readonly mode?: string
  readonly workspace?: string
  readonly tainted?: boolean
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
    args: text === undefined ? {} : jsonObject(text, 'The arguments'),
    ...(mode !== undefined && { mode }),
    ...(workspace !== undefined && { workspaceId: workspace }),
    ...(tainted === true && { tainted }),
  })
  const found = await bodyOf<Explanation>(answer, 'verdict', 'decidedBy', 'because', 'fitting')
  if (json) return JSON.stringify(found)
  const { verdict, decidedBy, because, fitting } = found
  return [
    `${tool}: ${wordsOf(verdict)}`,
    `  because     ${because}`,
    `  decided by  ${decidedBy}`,
    `  rules       ${fitting.length === 0 ? 'none fits' : `${fitting.join(', ')} ${fitting.length > 1 ? 'fit; the first one counts' : 'fits'}`}`,
  ].join('\n')
}

function wordsOf(verdict: Explanation['verdict']): string {
  switch (verdict.kind) {
    case 'allow':
      return 'allowed'
    case 'ask':
      return `a person is asked${verdict.rememberable ? '' : ', each time'}`
    case 'refuse':
      return `refused (${verdict.code})`
  }
}
