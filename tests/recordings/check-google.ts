import { dictsOf, isBlank, isDict, listOf, textOf, type Dict } from '../support/strict-provider/values.ts'

/** What the Gemini API refuses of a conversation: turns, pairs, parts. */
export function checkGoogle(body: Dict): string[] {
  const contents = dictsOf(body['contents'])
  if (contents.length === 0) return ['contents: at least one is required']
  return [
    ...(contents[0]?.['role'] === 'user' ? [] : ['contents[0]: the first must be from the user']),
    ...(contents.at(-1)?.['role'] === 'user' ? [] : ['contents: the last must be from the user']),
    ...contents.flatMap((content, at) => [
      ...(content['role'] === contents[at - 1]?.['role'] ? [`contents[${at}]: roles must alternate`] : []),
      ...partFaults(content, at),
      ...pairFaults(content, contents[at + 1], contents[at - 1], at),
    ]),
    ...systemFaults(body['systemInstruction']),
  ]
}

function partFaults({ parts }: Dict, at: number): string[] {
  if (listOf(parts).length === 0) return [`contents[${at}].parts must not be empty`]
  return dictsOf(parts).flatMap((part, n) => {
    const data = ['text', 'functionCall', 'functionResponse', 'inlineData'].filter((kind) => kind in part)
    const place = `contents[${at}].parts[${n}]`
    if (data.length !== 1) return [`${place}: required oneof field 'data' must have one initialized field`]
    // An empty text is only there to carry a signature.
    const isEmpty = data[0] === 'text' && isBlank(textOf(part['text'])) && part['thoughtSignature'] === undefined
    return isEmpty ? [`${place}.text must not be empty`] : []
  })
}

/** As many responses right after the calls as there were calls, and by the same names. */
function pairFaults(content: Dict, after: Dict | undefined, before: Dict | undefined, at: number): string[] {
  const called = namesIn(content, 'functionCall')
  const answered = namesIn(after ?? {}, 'functionResponse')
  const given = namesIn(content, 'functionResponse')
  return [
    ...(called.length > 0 && called.join() !== answered.join()
      ? [`contents[${at}]: calls of ${called.join()} are followed by responses of ${answered.join() || 'none'}`]
      : []),
    ...(given.length > 0 && namesIn(before ?? {}, 'functionCall').length === 0
      ? [`contents[${at}]: a function response must come immediately after a function call`]
      : []),
  ]
}

function namesIn({ parts }: Dict, kind: string): string[] {
  return dictsOf(parts).flatMap((part) => (isDict(part[kind]) ? [textOf(part[kind]['name'])] : []))
}

function systemFaults(system: unknown): string[] {
  if (!isDict(system)) return []
  return dictsOf(system['parts']).some(({ text }) => isBlank(textOf(text)))
    ? ['systemInstruction: a part must not be empty']
    : []
}
