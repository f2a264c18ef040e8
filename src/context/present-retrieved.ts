import type { Retrieved } from '../contract/sent-prompt.ts'
import { betweenMarkers } from '../lib/between-markers.ts'

/** The words of what was looked up, by `textKey`; what was deleted since is missing. */
export type RetrievedTexts = ReadonlyMap<string, string>

export function textKey(one: Retrieved): string {
  switch (one.kind) {
    case 'passage':
      return `passage ${one.documentId} ${one.version} ${one.chunk}`
    case 'memory':
      return `memory ${one.memoryId}`
    case 'file':
    case 'context':
      return `part ${one.hash}`
  }
}

type Of<Kind extends Retrieved['kind']> = Extract<Retrieved, { kind: Kind }>

/** What was looked up, as a model reads it: data between markers, and how to cite it. */
export function presentRetrieved(found: readonly Retrieved[], texts: RetrievedTexts): readonly string[] {
  if (found.length === 0) return []
  const textOf = (one: Retrieved): string => texts.get(textKey(one)) ?? ERASED
  const passages = found.filter((one) => one.kind === 'passage')
  const memories = found.filter((one) => one.kind === 'memory')
  const others = found.filter((one) => one.kind === 'file' || one.kind === 'context')
  return [
    ...(passages.length > 0 ? [passagesText(passages, textOf)] : []),
    ...(memories.length > 0 ? [memoriesText(memories, textOf)] : []),
    ...others.map((one) => contextText(one, textOf(one))),
  ]
}

const ERASED = '(This was deleted.)'

function passagesText(passages: readonly Of<'passage'>[], textOf: (one: Retrieved) => string): string {
  const blocks = passages.map((one) => `[${one.label}] ${asData(textOf(one))}`)
  const key = passages.map(textKey).join(' ')
  return `${HOW_TO_CITE}\n${betweenMarkers(blocks.join('\n\n'), key, 'from documents that people published here')}`
}

const HOW_TO_CITE =
  '[From Segno, not from the user: these passages may help. Where your answer relies on one, put its label behind the ' +
  'sentence, such as [k1]. Leave out what does not help.]'

function memoriesText(memories: readonly Of<'memory'>[], textOf: (one: Retrieved) => string): string {
  const lines = memories.map((one) => `- ${asData(textOf(one))}`)
  return betweenMarkers(lines.join('\n'), memories.map(textKey).join(' '), 'what the user wanted to be remembered')
}

/** Names are foreign text too, so they stand between the markers. */
function contextText(one: Of<'file' | 'context'>, text: string): string {
  const isFile = one.kind === 'file'
  const head = isFile ? `File: ${JSON.stringify(one.path)}` : `Name: ${JSON.stringify(one.name)}`
  const what = isFile ? 'a file of this workspace' : 'what was fetched for this workspace'
  return betweenMarkers(asData(`${head}\n${text}`), textKey(one), what)
}

/** A text must not look as if it had labels, and a tag that a model only repeats must not note anything. */
const asData = (text: string): string =>
  text.replaceAll(/\[(?=[kK]\d)/g, '[ ').replaceAll(/\[(\s*remember\s*:)/gi, '($1')
