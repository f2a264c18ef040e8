import type { JsonSchema } from '../contract/tool.ts'
import { sha256 } from '../lib/hash.ts'
import { remembering } from '../lib/remembering.ts'

interface Definition {
  readonly name: string
  readonly description: string
  readonly jsonSchema: JsonSchema
  readonly definitionHash: string
}

/** The definitions of tools as one text, in the order they are offered. */
interface Definitions {
  readonly hash: string
  readonly text: string
}

const remembered = remembering<Definitions>(100)

export function definitionsOf(tools: readonly Definition[]): Definitions {
  return remembered(tools.map(({ definitionHash }) => definitionHash).join(' '), () => {
    const text = JSON.stringify(tools.map(({ name, description, jsonSchema }) => ({ name, description, jsonSchema })))
    return { hash: sha256(text), text }
  })
}
