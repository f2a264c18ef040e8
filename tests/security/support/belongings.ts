import { LOCAL_OWNER, type Actor } from '../../../src/contract/actor.ts'
import { filesOf } from '../../../src/contract/event.ts'
import type { MessageContent } from '../../../src/contract/message.ts'
import { delay } from '../../../src/lib/delay.ts'
import type { Segno } from '../../../src/segno.ts'
import { automations, noAutomations, type Automations, type Signatures } from './automations.ts'
import { ADA, type Stage } from './stage.ts'
import type { SendOptions } from '../../../src/round/index.ts'

/** Real things of one user that others may ask for. */
export interface Belongings extends Automations {
  readonly workspaceId: string
  readonly sessionId: string
  /** of a message in that session */
  readonly eventId: string
  /** of the answer to it */
  readonly answerId: string
  /** of a file in that message */
  readonly fileHash: string
  /** a round that has ended */
  readonly endedRound: string
  /** a round that waits for the approval */
  readonly waitingRound: string
  readonly approvalId: string
  readonly callId: string
  readonly pausedRound: string
  /** a round that used up its turns */
  readonly limitedRound: string
  readonly keyId: string
  /** versions of a prompt that somebody else of Ada's tenant wrote */
  readonly draftPrompt: string
  readonly pendingPrompt: string
  readonly approvedPrompt: string
  readonly activePrompt: string
  /** of somebody else of Ada's tenant, in the status that the call needs */
  readonly documentId: string
  /** something Ada wants remembered */
  readonly memoryId: string
  /** who has a budget of their own */
  readonly budgetUser: string
  /** a tool of the MCP server `files` whose definition changed, and the hash of the new one */
  readonly changedTool: string
  readonly changedHash: string
  /** of a login at the MCP server `mail` that was begun */
  readonly loginState: string
  /** where the other rounds are: never sent, so they must not come back either */
  readonly waitingSession: string
  readonly doubtfulSession: string
  readonly pausedSession: string
  readonly limitedSession: string
  /** a stored job that nobody tries any more: its number, with so many zeros that it is found nowhere by chance */
  readonly parkedJob: string
  /** a provider set over HTTP; it has no key, so that trying it sends nothing */
  readonly provider: string
  readonly signatures: Signatures
}

/** Words that stand in Ada's things and nowhere else. */
export const PRIVATE_WORD = /zanzibar/i

/**
 * `path`: of the operation they are for; a document takes long to read, and a memory is told in the background for a
 * second, so there is one only where it is needed
 */
export async function belongings(stage: Stage, path = ''): Promise<Belongings> {
  const { segno, key, quarantinedTool, parkedJob } = stage
  const { id: workspaceId } = await segno.workspaces.create(ADA, {
    name: 'Zanzibar workspace',
    instructions: 'Zanzibar instructions',
    mcpServers: ['idle'],
  })
  async function talk(content: MessageContent, options: SendOptions = {}) {
    const { id } = await segno.createSession({ title: 'Zanzibar title', workspaceId }, { actor: ADA })
    const { requestId } = await segno.rounds.send(ADA, id, content, options)
    for await (const _ of segno.stream(ADA, {
      sessionId: id,
      requestId,
      dialect: 'native',
      endsAtRest: true,
      workspaceId: '',
      outputs: false,
    }));
    return { sessionId: id, requestId }
  }
  const { sessionId, requestId: endedRound } = await talk([
    { type: 'text', text: 'Zanzibar message' },
    { type: 'file', mediaType: 'application/pdf', data: Buffer.from(`%PDF- Zanzibar file ${crypto.randomUUID()}`) },
  ])
  const { requestId: waitingRound, sessionId: waitingSession } = await talk('asks')
  const { requestId: doubtfulRound, sessionId: doubtfulSession } = await talk('doubts')
  const { requestId: pausedRound, sessionId: pausedSession } = await talk('pauses', { protocol: 'triggered' })
  const { requestId: limitedRound, sessionId: limitedSession } = await talk('goes on', {
    limits: { maxIterations: 0 },
  })
  const events = await segno.sessions.events(ADA, sessionId)
  const said = events.find(({ type }) => type === 'message.user')
  const answer = events.find(({ type }) => type === 'message.assistant')
  const approval = (await segno.rounds.approvals(ADA, 'pending')).find((one) => one.requestId === waitingRound)
  const call = (await segno.rounds.unknownCalls(ADA)).find((one) => one.requestId === doubtfulRound)
  const [file] = said ? filesOf(said) : []
  if (!said || !answer || !file || !approval || !call)
    throw new Error('Ada has no message, answer, file, approval or doubtful call')
  const { state } = await segno.rounds.get(ADA, pausedRound)
  if (state !== 'paused') throw new Error(`the round to be resumed is ${state}`)
  await segno.preferences.put(ADA, { customInstructions: 'Zanzibar wishes' })
  const budgetUser = crypto.randomUUID()
  await segno.budgets.set(ADA, budgetUser, { dailyTokens: 1000 })
  const { name: changedTool, hash: changedHash } = await quarantinedTool()
  const { url } = await segno.mcp.authorize(ADA, 'mail')
  const provider = `p${budgetUser.slice(0, 8)}`
  await segno.providers.set(LOCAL_OWNER, provider, { kind: 'anthropic' })
  return {
    workspaceId,
    provider,
    sessionId,
    eventId: said.id,
    answerId: answer.id,
    fileHash: file.hash,
    documentId: path.startsWith('/api/knowledge/{id}') ? await document(segno, workspaceId, path) : crypto.randomUUID(),
    memoryId: path.startsWith('/api/memories') ? await memory(segno) : crypto.randomUUID(),
    ...(await automations(stage, path)),
    endedRound,
    waitingRound,
    approvalId: approval.id,
    callId: call.callId,
    pausedRound,
    limitedRound,
    limitedSession,
    ...(await governedPrompts(segno, workspaceId)),
    keyId: (await key('acme', 'ada', ['chat:read'])).id,
    budgetUser,
    changedTool,
    changedHash,
    loginState: new URL(url).searchParams.get('state') ?? '',
    waitingSession,
    doubtfulSession,
    pausedSession,
    parkedJob: String(await parkedJob()).padStart(15, '0'),
  }
}

const BEA: Actor = { ...ADA, id: 'bea' }

/** One in each status, with different words. */
async function governedPrompts({ prompts }: Segno, workspaceId: string) {
  const write = async (content: string) => (await prompts.create(BEA, { workspaceId, name: 'Zanzibar', content })).id
  const submit = async (content: string) => (await prompts.submit(BEA, await write(content))).id
  const approve = async (content: string) => (await prompts.approve(ADA, await submit(content))).id
  return {
    draftPrompt: await write('Zanzibar draft'),
    pendingPrompt: await submit('Zanzibar wish'),
    approvedPrompt: await approve('Zanzibar plan'),
    activePrompt: (await prompts.activate(ADA, await approve('Zanzibar rules'))).id,
  }
}

async function memory({ memories }: Segno): Promise<string> {
  return (await memories.add(ADA, { content: `Zanzibar fact ${crypto.randomUUID().slice(0, 8)}` })).id
}

/** One that this call can be made on; nothing is done with it in the background any more. */
async function document({ documents }: Segno, workspaceId: string, path: string): Promise<string> {
  const content = `Zanzibar passage ${crypto.randomUUID()}`
  const { id } = await documents.create(BEA, { workspaceId, title: 'Zanzibar', content })
  if (/approve|reject|publish|archive/.test(path)) await documents.submit(BEA, id)
  if (/publish|archive/.test(path)) await documents.approve(ADA, id)
  if (/archive/.test(path)) await documents.publish(ADA, id)
  for (let isDone = false; !isDone; await delay(50)) {
    const { done, all } = await documents.index(ADA)
    isDone = done === all
  }
  return id
}

/** The same, of which nothing exists. */
export function nothingThere(): Belongings {
  const id = (): string => crypto.randomUUID()
  return {
    workspaceId: id(),
    ...noAutomations(),
    signatures: { result: {}, hook: {} },
    provider: `p${id().slice(0, 8)}`,
    sessionId: id(),
    eventId: id(),
    answerId: id(),
    fileHash: id(),
    memoryId: id(),
    endedRound: id(),
    waitingRound: id(),
    approvalId: id(),
    callId: id(),
    pausedRound: id(),
    limitedRound: id(),
    limitedSession: id(),
    draftPrompt: id(),
    pendingPrompt: id(),
    approvedPrompt: id(),
    activePrompt: id(),
    documentId: id(),
    keyId: id().replaceAll('-', '').slice(0, 16),
    budgetUser: id(),
    changedTool: id(),
    changedHash: id().replaceAll('-', '').repeat(2),
    loginState: id(),
    waitingSession: id(),
    doubtfulSession: id(),
    pausedSession: id(),
    parkedJob: '9'.repeat(15),
  }
}
