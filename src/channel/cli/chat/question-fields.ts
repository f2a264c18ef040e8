import { selectedIn, readField, type Choice, type Field } from '../../../client/index.ts'

export function fieldText(field: Field): string {
  const { label, hint } = field
  return `${hint === '' ? label : `${label}: ${hint}`} (${expectation(field)})`
}

function expectation(field: Field): string {
  const { kind, integer, choices, required, format = 'text', minimum, maximum } = field
  const labels = choices.map(({ label }) => label)
  const without = defaultOf(field)
  const kinds: Readonly<Record<Field['kind'], string>> = {
    text: format,
    number: integer ? 'a whole number' : 'a number',
    boolean: 'yes or no',
    choice: labels.join(', '),
    many: `names or numbers with commas between: ${labels.map((label, at) => `${at + 1} ${label}`).join(' · ')}`,
  }
  return [
    kinds[kind],
    ...(minimum === undefined ? [] : [`at least ${minimum}`]),
    ...(maximum === undefined ? [] : [`at most ${maximum}`]),
    ...(without === '' ? (required ? [] : ['Enter for none']) : [`Enter for ${without}`]),
    ...(kind === 'many' && without !== '' ? ['- for none'] : []),
  ].join(', ')
}

function defaultOf({ kind, defaultText, choices }: Field): string {
  const chosen = kind === 'many' ? selectedIn(defaultText) : [defaultText]
  if (kind === 'many' || kind === 'choice')
    return choices.flatMap(({ text, label }) => (chosen.includes(text) ? [label] : [])).join(', ')
  return kind === 'text' && defaultText !== '' ? JSON.stringify(defaultText) : defaultText
}

export const readTyped = (field: Field, typed: string): ReturnType<typeof readField> =>
  readField(field, filledIn(field, typed))

function filledIn({ kind, defaultText, choices }: Field, typed: string): string {
  const text = typed.trim()
  if (text === '') return defaultText
  switch (kind) {
    case 'boolean':
      return /^(y|yes|true)$/i.test(text) ? 'true' : /^(n|no|false)$/i.test(text) ? 'false' : text
    case 'choice':
      return named(choices, text)
    case 'many':
      return text === '-' ? '[]' : JSON.stringify(text.split(',').map((one) => named(choices, one.trim())))
    default:
      return typed
  }
}

/** Finds a choice by its value, its label or its number in the list. */
function named(choices: readonly Choice[], typed: string): string {
  const word = typed.toLowerCase()
  const chosen =
    choices.find(({ text }) => text === typed) ??
    choices.find(({ text, label }) => text.toLowerCase() === word || label.toLowerCase() === word) ??
    (/^\d{1,4}$/.test(typed) ? choices[Number(typed) - 1] : undefined)
  return chosen?.text ?? typed
}
