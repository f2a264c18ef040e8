import {
  buildPrompt,
  sharesOf,
  tokensOf,
  type Built,
  type CutLimits,
  type PromptOptions,
  type RetrievedTexts,
} from '../context/index.ts'
import type { Prompt } from '../contract/prompt.ts'
import { Problem } from '../contract/problem.ts'
import { maxPromptTokens, promptTokens, unusableModel, type Model, type OfferedTool } from '../model/index.ts'
import { openExchanges, type SessionState } from '../session/index.ts'
import type { Deps, Settings } from './deps.ts'

/** How much of a model's window a prompt may fill. */
const INPUT_SHARE = 0.8
const TRIES = 4
const NO_SHARES = { passages: 0, memories: 0, context: 0 }

type Sized = Pick<Model, 'key' | 'provider' | 'window' | 'maxOutput'>
type ShownSettings = Pick<Settings, 'historyMessages' | 'contextTokens'>

export function shownLimits({ historyMessages, contextTokens }: ShownSettings): CutLimits {
  return { messages: historyMessages, tokens: contextTokens }
}

/** What a prompt is made of besides the session's state. */
export interface Given extends Pick<PromptOptions, 'parts' | 'around' | 'asked' | 'offered'> {
  /** the words of what was looked up, now and before */
  readonly texts: RetrievedTexts
  /** what is described to the model besides its parts */
  readonly tools: readonly OfferedTool[]
  /** the characters of their definitions */
  readonly toolChars: number
  /** less than would fit, because a provider said that it does not */
  readonly mostTokens?: number
}

/** The tokens that a prompt may have, next to the longest answer. */
export const roomOf = ({ window, maxOutput }: Pick<Model, 'window' | 'maxOutput'>): number =>
  Math.min(Math.floor(window * INPUT_SHARE), window - maxOutput)

/** How much of the conversation can be shown, next to everything that is never cut. */
export function conversationLimits(settings: ShownSettings, { parts, toolChars }: Given, model: Sized): CutLimits {
  const fixed = tokensOf(parts.reduce((sum, { text }) => sum + text.length, toolChars))
  const { messages, tokens } = shownLimits(settings)
  return { messages, tokens: Math.max(1, Math.min(tokens, roomOf(model) - fixed)) }
}

/** The prompt for a model, with as much of the conversation as fits its window. */
export async function promptFor(
  state: SessionState,
  settings: ShownSettings,
  given: Given,
  model: Sized,
): Promise<Built> {
  const { tools, parts, around, asked, offered, texts, mostTokens = Infinity } = given
  const { contextTokens } = settings
  const room = roomOf(model)
  const most = Math.min(room, mostTokens)
  async function fits(prompt: Prompt): Promise<boolean> {
    const conversation = await promptTokens({ ...prompt, parts: [] }, [], model, contextTokens)
    const rest = await promptTokens({ parts: prompt.parts, messages: [], notes: [] }, tools, model, room)
    return conversation <= contextTokens && conversation + rest <= most
  }

  const limits = conversationLimits(settings, given, model)
  let tokens = Math.min(limits.tokens, mostTokens)
  let before = Infinity
  const shares = sharesOf(model.window, limits.tokens)
  for (let left = TRIES; ; left--) {
    const built = buildPrompt(state, {
      parts,
      around,
      asked,
      offered,
      texts,
      // What was looked up makes room for what is never cut.
      shares: left === 0 ? NO_SHARES : shares,
      limits: { messages: limits.messages, tokens },
      from: state.shownFrom.get(model.key),
    })
    // The cut is an estimate; tokens are counted only if it may be wrong and the prompt has changed.
    const upTo = maxPromptTokens(built.prompt, tools)
    if (upTo <= Math.min(most, contextTokens)) return built
    if (upTo < before && (await fits(built.prompt))) return built
    if (left === 0) {
      await checkRest(built.prompt, tools, model, room)
      return built
    }
    before = upTo
    tokens = Math.floor(tokens / 2)
  }
}

/** Throws a Problem if even without the conversation before it the last message does not fit. */
export async function checkLast({ history }: SessionState, { parts, tools }: Given, model: Sized): Promise<void> {
  const user = openExchanges(history).at(-1)?.user
  const message = { role: 'user' as const, content: user?.parts ?? [], eventIds: [] }
  const prompt = { parts, messages: [message], notes: [] }
  const room = roomOf(model)
  if (maxPromptTokens(prompt, tools) > room) await checkRest(prompt, tools, model, room)
}

/** Instructions and the last message are never cut, so they have to fit. */
async function checkRest(
  { parts, messages }: Prompt,
  tools: readonly OfferedTool[],
  model: Sized,
  room: number,
): Promise<void> {
  const last = messages.at(-1)
  const said = last?.role === 'user' ? last.content.filter((part) => part.type !== 'tool_result') : []
  const message = { role: 'user' as const, content: said, eventIds: [] }
  const rules = await promptTokens({ parts, messages: [], notes: [] }, tools, model, Infinity)
  const words = await promptTokens({ parts: [], messages: [message], notes: [] }, [], model, room)
  if (rules + words <= room) return
  throw new Problem(
    'TOKEN_LIMIT',
    `The instructions and tools (${rules} tokens) and the message (${words > room ? 'over ' : ''}${Math.min(words, room)} tokens) ` +
      `do not fit into the ${room} tokens that ${model.key} can be sent. Send less, offer fewer tools, or use a model with a larger window.`,
  )
}

/** The model of a round or session; one that can no longer be used fails with its problem when it is called. */
export function modelNamed(key: string, deps: Pick<Deps, 'model'>): Model {
  const model = findModel(key, deps)
  return model instanceof Problem ? unusableModel(key, model) : model
}

/** A model that Segno itself asks, if there is one and the workspace allows it. */
export async function allowedModel(
  key: string | undefined,
  { actor, workspaceId }: SessionState,
  deps: Pick<Deps, 'model' | 'workspace'>,
): Promise<Model | undefined> {
  if (key === undefined) return undefined
  const { models } = await deps.workspace(actor.tenant, workspaceId)
  const model = findModel(key, deps)
  return model instanceof Problem || (models.length > 0 && !models.includes(key)) ? undefined : model
}

export function findModel(key: string, deps: Pick<Deps, 'model'>): Model | Problem {
  try {
    return deps.model(key)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}
