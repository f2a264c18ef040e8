import type { Client } from '../../../client/index.ts'
import { invalidField } from '../../../contract/problem.ts'
import { paramText, PARAM_WORDS, type ParamCommand, type ParamWords } from './param-words.ts'
import type { Conversation } from './run-command.ts'

/** What takes a parameter back. */
const USUAL = 'usual'

/** Shows a parameter, sets it from the next message on, or takes it back. */
export function useParam(name: ParamCommand): (chat: Conversation, rest: string) => Promise<void> {
  const { field, value: kind, means, read }: ParamWords = PARAM_WORDS[name]
  return async ({ api, say, session: { id }, preferences }, rest) => {
    const now = id === undefined ? preferences : await api.session(id)
    if (rest === '')
      return say(`/${name}: ${paramText(now[field])}\n  <${kind}>  ${means}\n  ${USUAL}  as the model does by itself`)
    const value = rest === USUAL ? null : read(rest)
    if (id !== undefined) await api.changeSession(id, { [field]: value })
    else if (field === 'tools' && Array.isArray(value)) await checkTools(api, value)
    if (value === null) delete preferences[field]
    else Object.assign(preferences, { [field]: value })
    say(`/${name} is ${value === null ? 'as usual' : rest} from the next message on.`, 'dim')
  }
}

/** Where there is no conversation yet, nobody else would say it before the first message. */
async function checkTools(api: Client, names: readonly unknown[]): Promise<void> {
  const offered = (await api.tools()).map(({ name }) => name)
  const missing = names.filter((name) => !offered.some((one) => one === name))
  if (missing.length > 0)
    throw invalidField('tools', `has what is not offered here: ${missing.join(', ')}; there are ${offered.join(', ')}`)
}
