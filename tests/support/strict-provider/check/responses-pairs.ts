import type { Fault } from '../fault.ts'
import { encryptedOf } from '../issued.ts'
import { textOf, type Dict } from '../values.ts'
import { typeOf } from './responses-items.ts'

/** Every call has its output after it, every output its call before it, each once. */
export function pairFaults(input: readonly Dict[]): Fault[] {
  const faults: Fault[] = []
  const called = new Set<string>()
  const answered = new Set<string>()
  for (const item of input) {
    const id = textOf(item['call_id'])
    if (typeOf(item) === 'function_call') {
      if (called.has(id)) faults.push({ message: `Duplicate function call with call_id ${id}.`, param: 'input' })
      called.add(id)
    }
    if (typeOf(item) !== 'function_call_output') continue
    if (!called.has(id))
      faults.push({ message: `No tool call found for function call output with call_id ${id}.`, param: 'input' })
    else if (answered.has(id))
      faults.push({ message: `Duplicate function call output with call_id ${id}.`, param: 'input' })
    answered.add(id)
  }
  for (const id of called)
    if (!answered.has(id)) faults.push({ message: `No tool output found for function call ${id}.`, param: 'input' })
  return faults
}

/** Reasoning comes back with the encrypted content this server made for this model, before what it led to. */
export function reasoningFaults(input: readonly Dict[], model: string): Fault[] {
  const seen = new Set<string>()
  return input.flatMap((item, at): Fault[] => {
    if (typeOf(item) !== 'reasoning') return []
    const id = textOf(item['id'])
    const next = input[at + 1]
    const again = seen.has(id)
    seen.add(id)
    return [
      ...(again
        ? [{ message: `Duplicate item found with id ${id}. Remove duplicate items from your input and try again.` }]
        : []),
      ...sealFaults(item, id, model),
      ...(next && (next['role'] === 'assistant' || ['function_call', 'reasoning'].includes(typeOf(next)))
        ? []
        : [
            {
              message: `Item '${id}' of type 'reasoning' was provided without its required following item.`,
              param: 'input',
            },
          ]),
    ]
  })
}

function sealFaults({ encrypted_content: encrypted, summary }: Dict, id: string, model: string): Fault[] {
  if (!Array.isArray(summary))
    return [{ message: "Missing required parameter: 'input[].summary'.", code: 'missing_required_parameter' }]
  if (typeof encrypted !== 'string')
    return [
      {
        message:
          `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. ` +
          'Try again with `store` set to true, or remove this item from your input.',
        param: 'input',
      },
    ]
  if (encrypted === encryptedOf(model, id)) return []
  const message =
    `The encrypted content for item ${id} could not be verified. ` +
    'Reason: Encrypted content could not be decrypted or parsed.'
  return [{ message, code: 'invalid_encrypted_content' }]
}
