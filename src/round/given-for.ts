import { definitionsOf, gatherParts, RENDERER, type Choice } from '../context/index.ts'
import type { SentParams, SentPrompt } from '../contract/event.ts'
import type { Part } from '../contract/prompt.ts'
import type { Model } from '../model/index.ts'
import type { SessionState } from '../session/index.ts'
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
  const around = { now: deps.clock.now(), mode: round.started.mode, workspace: work.workspace.name, news }
  return { ...given, around }
}

export async function givenOf(
  { actor, workspaceId, promptId }: SessionState,
  { workspace, offered: tools, preferences }: Pick<StepContext, 'workspace' | 'offered' | 'preferences'>,
  deps: Pick<Deps, 'prompt' | 'draft' | 'settings'>,
): Promise<Given> {
  const { tenant, id } = actor
  const parts = await gatherParts({
    userId: id,
    systemPrompt: deps.settings.systemPrompt,
    workspace,
    tools: tools.length > 0,
    prompt: async () =>
      (promptId === null ? undefined : await deps.draft(tenant, id, promptId)) ?? deps.prompt(tenant, workspaceId),
    preferences: async () => preferences,
  })
  return { parts, tools, toolChars: tools.length === 0 ? 0 : definitionsOf(tools).text.length }
}

/** Everything besides the log that this prompt is made from; its texts are stored with the next commit. */
export function sentPrompt(
  { session, deps, offered }: StepWork,
  { parts }: Given,
  { isCut, hasSummary, shortened, withoutFiles }: Choice,
  model: Pick<Model, 'maxOutput' | 'temperature' | 'effort'>,
  asked: Pick<SentParams, 'mayUseTools' | 'toolChoice' | 'output' | 'withoutThoughts'>,
): SentPrompt {
  const { tenant } = session.state.actor
  const tools = offered.length === 0 ? undefined : definitionsOf(offered)
  session.nameParts([...parts, ...(tools ? [tools] : [])].map((part) => ({ ...part, tenant })))
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
