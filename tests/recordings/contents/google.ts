import { dictsOf, isDict, textOf, type Dict } from '../../support/strict-provider/values.ts'
import type { ReadContents, SaidCall } from './contents.ts'

export const readGoogle: ReadContents = (chunks) => {
  const calls: SaidCall[] = []
  const seals: string[] = []
  let text = ''
  let reasoning = ''
  let endsAt: number | undefined
  let open: { readonly name: string; readonly args: Record<string, unknown>; readonly seal: string[] } | undefined
  for (const [at, chunk] of chunks.entries()) {
    const candidate = dictsOf(chunk['candidates'])[0] ?? {}
    const content = isDict(candidate['content']) ? candidate['content'] : {}
    for (const part of dictsOf(content['parts'])) {
      if (part['thought'] === true) reasoning += textOf(part['text'])
      else text += textOf(part['text'])
      const seal = typeof part['thoughtSignature'] === 'string' ? [part['thoughtSignature']] : []
      if ('text' in part && part['thought'] !== true) seals.push(...seal)
      if (!isDict(part['functionCall'])) continue
      const call = part['functionCall']
      const isPart = call['partialArgs'] !== undefined || call['willContinue'] === true
      if (isPart && typeof call['name'] === 'string') open = { name: call['name'], args: {}, seal }
      if (open) for (const piece of dictsOf(call['partialArgs'])) put(open.args, piece)
      if (open && call['willContinue'] !== true) {
        calls.push({ name: open.name, raw: JSON.stringify(open.args), endedAt: at })
        seals.push(...open.seal)
        open = undefined
      } else if (!isPart) {
        seals.push(...seal)
        calls.push({ name: textOf(call['name']), raw: JSON.stringify(call['args'] ?? {}), endedAt: at })
      }
    }
    const blocked = isDict(chunk['promptFeedback']) && chunk['promptFeedback']['blockReason'] !== undefined
    if (typeof candidate['finishReason'] === 'string' || blocked) endsAt ??= at
  }
  return { text, reasoning, calls, seals, endsAt }
}

/** Arguments may come in pieces, each saying where it belongs; our own recordings use the first level only. */
function put(args: Record<string, unknown>, { jsonPath, stringValue, numberValue, boolValue }: Dict): void {
  const name = textOf(jsonPath).replace('$.', '')
  args[name] = typeof stringValue === 'string' ? textOf(args[name]) + stringValue : (numberValue ?? boolValue ?? null)
}
