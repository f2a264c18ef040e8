import { dictsOf, isDict, isJsonObject, textOf, type Dict } from '../../support/strict-provider/values.ts'
import type { ReadContents, SaidCall } from './contents.ts'

export const readResponses: ReadContents = (chunks) => {
  let text = ''
  let reasoning = ''
  let endsAt: number | undefined
  const begun = new Map<unknown, SaidCall[]>()
  const calls: SaidCall[] = []
  const seals: string[] = []
  for (const [at, chunk] of chunks.entries()) {
    const item = isDict(chunk['item']) ? chunk['item'] : {}
    switch (chunk['type']) {
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        text += textOf(chunk['delta'])
        break
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        reasoning += textOf(chunk['delta'])
        break
      case 'response.output_item.added':
        begun.set(chunk['output_index'], callsOf(item, undefined))
        break
      case 'response.output_item.done':
        begun.delete(chunk['output_index'])
        calls.push(...callsOf(item, at))
        if (typeof item['encrypted_content'] === 'string') seals.push(item['encrypted_content'])
        break
      case 'response.completed':
      case 'response.incomplete':
        endsAt ??= at
        break
      default:
        break
    }
  }
  return { text, reasoning, calls: [...calls, ...[...begun.values()].flat()], seals, endsAt }
}

function callsOf(item: Dict, endedAt: number | undefined): SaidCall[] {
  const name = textOf(item['name'])
  switch (item['type']) {
    case 'function_call': {
      const raw = textOf(item['arguments'])
      return unwrapped(name, raw, endedAt) ?? [{ name, raw, endedAt }]
    }
    // Its input is a text, not an object.
    case 'custom_tool_call':
      return [{ name, raw: JSON.stringify(item['input']), endedAt }]
    case 'shell_call':
      return [{ name: 'shell', raw: JSON.stringify({ action: shellAction(item) }), endedAt }]
    case 'tool_search_call':
      return item['execution'] === 'client' ? [{ name: 'tool_search', raw: '', endedAt }] : []
    case 'local_shell_call':
      return [{ name: 'local_shell', raw: '', endedAt }]
    case 'apply_patch_call':
      return [{ name: 'apply_patch', raw: '', endedAt }]
    case 'computer_call':
      return [{ name: 'computer', raw: '', endedAt }]
    default:
      return []
  }
}

function shellAction({ action }: Dict): object {
  const { commands, timeout_ms: timeoutMs, max_output_length: maxOutputLength } = isDict(action) ? action : {}
  return { commands, timeoutMs: timeoutMs ?? undefined, maxOutputLength: maxOutputLength ?? undefined }
}

/** Models sometimes put several calls into one of a tool that was never offered. */
function unwrapped(name: string, raw: string, endedAt: number | undefined): SaidCall[] | undefined {
  if (name !== 'parallel' || !isJsonObject(raw)) return undefined
  const uses = dictsOf((JSON.parse(raw) as Dict)['tool_uses'])
  return uses.map(({ recipient_name: recipient, parameters }) => ({
    name: textOf(recipient).replace(/^functions\./, ''),
    raw: JSON.stringify(parameters),
    endedAt,
  }))
}
