import type { Replayed, ReplayedCall } from './replay-one.ts'

const LINE = 100

/** What became of a recording, for a person. */
export function describe(replayed: Replayed): string {
  const { name, model, text, reasoning, calls, usage, cost, finishReason, failure, attempts } = replayed
  return [
    `${replayed.goesOn ? 'ok  ' : 'FAIL'} ${name} (${model})`,
    `     text    ${text === '' ? 'none' : `${text.length} characters: ${shortened(text)}`}`,
    ...(reasoning === '' ? [] : [`     thought ${reasoning.length} characters: ${shortened(reasoning)}`]),
    ...calls.map((call) => `     call    ${describeCall(call)}`),
    `     usage   ${usage ? describeUsage(usage) : 'unknown'}; cost ${cost === null ? 'unknown' : `${(cost / 1_000_000).toFixed(6)} $`}`,
    `     ended   ${finishReason ?? 'not'}${failure ? `, ${attempts} attempts: ${failure}` : ''}`,
    `     goes on ${replayed.goesOn ? 'yes' : 'no'}`,
    ...replayed.troubles.map((trouble) => `       ${trouble}`),
  ].join('\n')
}

function describeCall({ name, args, raw, outcome, code }: ReplayedCall): string {
  const given = raw === undefined ? JSON.stringify(args) : `not an object: ${raw}`
  return `${name} ${shortened(given)} → ${outcome}${code ? ` (${code})` : ''}`
}

function describeUsage(usage: NonNullable<Replayed['usage']>): string {
  const { input, output, cachedRead, cachedWrite, reasoning } = usage
  return [
    `${input} in`,
    ...(cachedRead ? [`${cachedRead} of them from the cache`] : []),
    ...(cachedWrite ? [`${cachedWrite} of them into the cache`] : []),
    `${output} out`,
    ...(reasoning ? [`${reasoning} of them thoughts`] : []),
  ].join(', ')
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > LINE ? `${line.slice(0, LINE).toWellFormed()}…` : line
}
