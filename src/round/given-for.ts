import { definitionsOf, gatherParts, offeredOf, RENDERER, textKey, textsOf, type Choice } from '../context/index.ts'
import type { SentParams, SentPrompt } from '../contract/sent-prompt.ts'
import { textOf } from '../contract/message.ts'
import { hasConsent } from '../contract/preferences.ts'
import type { Part } from '../contract/prompt.ts'
import { VERSION } from '../lib/version.ts'
import type { Model } from '../model/index.ts'
import { openExchanges, retrievedIn, type SessionState } from '../session/index.ts'
import type { Deps } from './deps.ts'
import type { Given } from './prompt-for.ts'
import { roundOf, type StepContext, type StepWork } from './work.ts'

/** What the prompt of an open round is made of besides its log. */
export async function givenFor(work: StepWork): Promise<Given> {
  const { session, deps } = work
  const round = roundOf(work)
  const given = await givenOf(session.state, work, deps)
  // Only the first turn tells what is new.
  if (round.turn > 0) return given
  const { news } = session.state
  const { name, promptSettings: tell } = work.workspace
  const around = { now: deps.clock.now(), mode: round.started.mode, workspace: name, host: HOST, tell, news }
  const { actor, workspaceId, history } = session.state
  const { permissions } = round.started
  const said = openExchanges(history).at(-1)?.user
  // A round that goes on has what was found for the message it goes on from; Segno's own words ask for nothing.
  const text = said && !said.own ? textOf(said.parts) : ''
  const usesMemory = allowsMemory(work)
  const found = await deps.retrieve({ actor, permissions, workspaceId, text, usesMemory, signal: work.signal })
  const offered = offeredOf(found)
  return { ...given, around, offered, texts: new Map([...given.texts, ...textsOf(offered)]) }
}

export async function givenOf(
  { actor, workspaceId, promptId, history }: SessionState,
  {
    workspace,
    offered: tools,
    preferences,
    mayRemember,
  }: Pick<StepContext, 'workspace' | 'offered' | 'preferences' | 'mayRemember'>,
  deps: Pick<Deps, 'prompt' | 'draft' | 'texts' | 'settings'>,
): Promise<Given> {
  const { tenant, id } = actor
  const parts = await gatherParts({
    userId: id,
    systemPrompt: deps.settings.systemPrompt,
    workspace,
    tools: tools.length > 0,
    ...(mayRemember && { remembers: tools.some(({ tool }) => tool.remembers) ? ('tool' as const) : ('tag' as const) }),
    prompt: async () =>
      (promptId === null ? undefined : await deps.draft(tenant, id, promptId)) ?? deps.prompt(tenant, workspaceId),
    preferences: async () => preferences,
  })
  // Without consent, what was remembered is not told again either.
  const usesMemory = allowsMemory({ preferences })
  const retrieved = retrievedIn(history, openExchanges(history)).filter(({ kind }) => usesMemory || kind !== 'memory')
  const texts = retrieved.length === 0 ? NO_TEXTS : await deps.texts(actor, retrieved)
  return { parts, texts, tools, toolChars: tools.length === 0 ? 0 : definitionsOf(tools).text.length }
}

const allowsMemory = ({ preferences }: Pick<StepContext, 'preferences'>): boolean =>
  hasConsent({ consent: 'memory' }, preferences?.preferences ?? {})

const SYSTEMS: Readonly<Record<string, string>> = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' }
const HOST = `Segno ${VERSION} on ${SYSTEMS[process.platform] ?? process.platform}`

const NO_TEXTS: Given['texts'] = new Map()

/** Everything besides the log that this prompt is made from; its texts are stored with the next commit. */
export function sentPrompt(
  { session, deps, offered }: StepWork,
  { parts, texts }: Given,
  { isCut, hasSummary, shortened, withoutFiles, retrieved = [] }: Choice,
  model: Pick<Model, 'maxOutput' | 'temperature' | 'effort'>,
  asked: Pick<SentParams, 'mayUseTools' | 'toolChoice' | 'output' | 'withoutThoughts'>,
): SentPrompt {
  const { tenant } = session.state.actor
  const tools = offered.length === 0 ? undefined : definitionsOf(offered)
  const context = retrieved.flatMap((one) => {
    const text = 'hash' in one ? texts.get(textKey(one)) : undefined
    return 'hash' in one && text !== undefined ? [{ hash: one.hash, text }] : []
  })
  session.nameParts([...parts, ...(tools ? [tools] : []), ...context].map((part) => ({ ...part, tenant })))
  const { maxOutput, temperature, effort } = model
  const summary = session.state.history.summaries.at(-1)
  return {
    renderer: RENDERER,
    parts: parts.map(refOf),
    ...(summary && hasSummary && { summary: summary.seq }),
    ...(isCut && { cut: true as const }),
    ...(shortened.length > 0 && { shortened: [...shortened] }),
    ...(withoutFiles.length > 0 && { withoutFiles: [...withoutFiles] }),
    ...(tools && { tools: tools.hash }),
    params: {
      maxOutput,
      ...(temperature !== undefined && { temperature }),
      ...(effort !== undefined && { effort }),
      ...asked,
      fileBytes: deps.settings.fileBytesAtOnce,
    },
  }
}

const refOf = ({ layer, id, version, hash }: Part) => ({ layer, id, ...(version !== undefined && { version }), hash })
