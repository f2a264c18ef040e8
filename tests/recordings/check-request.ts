import { checkAnthropic } from '../support/strict-provider/check/anthropic.ts'
import { chatMessageFaults, checkChat } from '../support/strict-provider/check/chat.ts'
import { checkGroq, checkKimi, checkMistral } from '../support/strict-provider/check/compatible.ts'
import { checkDeepSeek } from '../support/strict-provider/check/deepseek.ts'
import { checkResponses } from '../support/strict-provider/check/responses.ts'
import type { Check } from '../support/strict-provider/fault.ts'
import { createSent, type Sent } from '../support/strict-provider/sent.ts'
import { dictsOf, isDict, textOf, type Dict } from '../support/strict-provider/values.ts'
import { checkGoogle } from './check-google.ts'
import { ORDINARY } from './ordinary.ts'
import type { Recording } from './read-recording.ts'

const CHECKS: Readonly<Record<string, Check>> = {
  anthropic: checkAnthropic,
  openai: checkResponses,
  'openai-chat': checkChat,
  deepseek: checkDeepSeek,
  google: (body) => checkGoogle(body).map((message) => ({ message })),
  'openai-compatible': (body) => chatMessageFaults(body),
  openrouter: (body) => chatMessageFaults(body),
  xai: (body) => chatMessageFaults(body),
  mistral: checkMistral,
  groq: checkGroq,
  kimi: checkKimi,
}

/** The strict provider knows its own seals only; what was recorded has seals of its own, which are looked for below. */
const FOREIGN_SEAL =
  /Invalid `signature` in `thinking` block|each thinking block must contain thinking|encrypted content .* could not be verified/

/** Says what the provider would refuse about a request that follows this recording. */
export function requestChecker(recording: Recording): (body: Dict) => string[] {
  const check = providerChecker(recording.provider, [recording])
  const phases = phasesIn(recording.lines.map((line) => JSON.parse(line) as Dict))
  return (body) => [...phaseFaults(body, phases), ...check(body)]
}

/** Says what a provider would refuse that has sent all of these recordings, to whichever of its models. */
export function providerChecker(provider: string, recordings: readonly Recording[]): (body: Dict) => string[] {
  const check = CHECKS[provider] as Check
  const known = { sent: sentBy(provider, recordings) }
  const recorded = recordings.flatMap(({ lines }) => lines).join('\n')
  return (body) => [
    ...check(body, known)
      .map(({ message }) => message)
      .filter((message) => !FOREIGN_SEAL.test(message)),
    ...sealsIn(body)
      .filter((seal) => seal !== NO_SEAL)
      .filter((seal) => !recorded.includes(JSON.stringify(seal).slice(1, -1)))
      .map((seal) => `the request holds a seal that was never issued: ${seal.slice(0, 20)}…`),
  ]
}

/** Which text was said in which phase. */
function phasesIn(chunks: readonly Dict[]): ReadonlyMap<string, string> {
  const items = chunks.flatMap((chunk) =>
    chunk['type'] === 'response.output_item.done' ? dictsOf([chunk['item']]) : [],
  )
  const said = items.filter(({ phase }) => typeof phase === 'string')
  return new Map(
    said.map(({ content, phase }) => [
      dictsOf(content)
        .map(({ text }) => textOf(text))
        .join(''),
      textOf(phase),
    ]),
  )
}

function phaseFaults(body: Dict, phases: ReadonlyMap<string, string>): string[] {
  return dictsOf(body['input']).flatMap(({ role, content, phase }) => {
    const texts = dictsOf(content).map(({ text }) => textOf(text))
    const said = typeof content === 'string' ? content : texts.join('')
    const wanted = role === 'assistant' ? phases.get(said) : undefined
    return wanted === undefined || wanted === phase ? [] : [`"${said}" must come back with its phase ${wanted}`]
  })
}

/** What Google takes for a call of which nobody has the signature any more. */
const NO_SEAL = 'skip_thought_signature_validator'

/** DeepSeek has no seals: there it is the words themselves that must come back. */
function sentBy(provider: string, recordings: readonly Recording[]): Sent {
  const sent = createSent()
  if (provider !== 'deepseek') return sent
  for (const { contents } of recordings) {
    const turn = sent.open()
    turn.text = contents.text
    turn.reasoning = contents.reasoning
    turn.calls.push(...contents.calls.map(({ name }) => name))
  }
  sent.open().text = ORDINARY
  return sent
}

const SEALS = new Set(['signature', 'encrypted_content', 'thoughtSignature', 'thought_signature'])

/** Signatures and encrypted thoughts, wherever they are. */
export function sealsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(sealsIn)
  if (!isDict(value)) return []
  const isHidden = value['type'] === 'redacted_thinking' || value['type'] === 'reasoning.encrypted'
  const redacted = isHidden ? [String(value['data'])] : []
  return [
    ...redacted,
    ...Object.entries(value).flatMap(([key, inner]) =>
      SEALS.has(key) && typeof inner === 'string' && inner !== '' ? [inner] : sealsIn(inner),
    ),
  ]
}
