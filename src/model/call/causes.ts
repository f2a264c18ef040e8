/** Why a model call can fail, in the words people read, and what they can do about it. */
export interface Cause {
  readonly reason: string
  /** trying again changes nothing */
  readonly isFinal: boolean
  readonly next: string
}

const final = (reason: string, next: string): Cause => ({ reason, next, isFinal: true })
const passing = (reason: string, next: string): Cause => ({ reason, next, isFinal: false })

export const CAUSES = {
  key: final('the key was refused', 'Set a valid key for this provider; segno providers ls tells where it is set.'),
  access: final(
    'access was refused',
    'The key may not use this model, or not from here: choose another model or another key.',
  ),
  credit: final(
    'the account has no credit or quota left',
    'Add credit at the provider, wait until the quota is renewed, or choose another model.',
  ),
  rate: passing('rate limited', 'Wait a little and send it again, or choose another model.'),
  overloaded: passing('overloaded', 'Try again in a few minutes, or choose another model.'),
  model: final('the provider does not know this model', 'Check its name, or choose a model that segno models lists.'),
  address: final(
    'the provider knows no such model or address',
    'Check the name of the model and the base URL of the provider.',
  ),
  moved: final('the provider is at another address now', 'Change its base URL.'),
  page: final(
    'a web page answered where the provider should',
    'Check its base URL, and whether a proxy stands in between.',
  ),
  tooLong: final(
    'the conversation is longer than the model can see',
    'Send less, start a new session, or choose a model with a larger window.',
  ),
  thoughts: final(
    'the model no longer takes back its earlier thoughts',
    'Start a new session, or choose another model.',
  ),
  noTools: final('the model cannot use tools', 'Choose another model, or send the message without tools.'),
  noFiles: final('the model does not take such files', 'Choose another model, or send the message without files.'),
  temperature: final(
    'the model does not take this temperature',
    'Set the temperature of its entry in SEGNO_MODELS to null.',
  ),
  filter: final('the provider refused the content', 'Put it differently, or choose another model.'),
} as const satisfies Record<string, Cause>

/** What people can do about reasons that have a number or a code in them. */
const OTHERS: readonly (readonly [RegExp, string])[] = [
  [/^the provider answered 5\d\d/, 'Try again in a few minutes, or choose another model.'],
  [/^the provider answered \d{3}/, 'What it said is in the trace of this round.'],
]

/** The whole sentence for people: the cause, and the next step where one is known. */
export function failureSentence(reason: string): string {
  const known = Object.values(CAUSES).find((cause) => cause.reason === reason)?.next
  const next = known ?? OTHERS.find(([sign]) => sign.test(reason))?.[1]
  return `The model call failed: ${reason}.${next === undefined ? '' : ` ${next}`}`
}
