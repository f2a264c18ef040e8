/** Where the requirements of each prefix come from. */
export const sources = {
  ORC: 'the orchestrator loop, channels, and an audit without content',
  PHA: 'the triggered-phase protocol against endless tool loops',
  LIN: 'the linear event log: order, rebuilding, recovery, forks',
  COO: 'the coordinator: rounds, streaming, limits, lifecycle',
  GOV: 'governance: prompt layers, the tool gate, workflows, policies, memory',
  REL: 'reliability: nothing lost, nothing done twice, nobody let in',
} as const

/**
 * What Segno must do: id → the demand in one sentence; the prefix of an id names its source.
 * Every id is either cited by a test through `verifies(…)` or stands in `planned` below.
 */
export const requirements = {
  'ORC-1':
    'One plain loop carries a message through context, model, gate and tool to its answer, with a fresh model stream for every turn.',
  'ORC-2':
    'Streamed tool arguments are collected per call and parsed once at its end; empty means `{}`, and unparsable ones are refused as INVALID and never run.',
  'ORC-3':
    'One declared schema per tool is shown to the model as JSON Schema and enforced by the gate, and only tools the actor may use now are offered.',
  'ORC-4':
    'Every way in is a channel with the same small interface and idempotent message ids, and the loop cannot tell which one listens.',
  'ORC-5':
    'A session has a random id, is also found by channel and user, can be cleared without losing its log, and can be renamed, archived and deleted.',
  'ORC-6':
    'The model sees at most 50 messages within the token budget, cut in whole exchanges down to about half; what is cut is summarised or marked, and the log is never trimmed.',
  'ORC-7':
    'The history of a round holds its user message, every assistant message, every result, and the final answer as the provider completed it.',
  'ORC-8':
    'Tools are approved automatically, by condition or by a person; nobody to ask means denied, and a remembered approval covers only the exact target.',
  'ORC-9':
    'The built-in tools exist, cap and mark what they cut, and hand their output to the model wrapped as untrusted data.',
  'ORC-10': 'Shell commands run only in a sandbox; where there is none the tool is not offered.',
  'ORC-11':
    'Audit records say who did what, when and how it went, and no message, output, file or memory content can get into them.',
  'ORC-12':
    'A scripted model is a provider like any other and plays streamed text, tool calls, follow-ups and faults from scenarios.',

  'PHA-1':
    'The protocol of a round, unified or triggered, is a strategy of the one loop with a configurable default, and the two-stage routes can be switched off.',
  'PHA-2':
    'A triggered round alternates tool and action phases: the first complete call stops the stream and is the only one executed in its phase, and phases and cycles are numbered by rule.',
  'PHA-3':
    'A call is complete once the provider ended it and it has a name, and usage lost by stopping a stream early is estimated and marked.',
  'PHA-4':
    'A call is recognised by a hash of tool, action, workspace and normalised arguments, whatever the order of keys, omitted defaults or spelling of paths and hosts.',
  'PHA-5':
    'A call already executed, refused or denied in a triggered round is refused as a duplicate at no cost, and the third fruitless attempt forces the answer.',
  'PHA-6':
    'When the tool budget of a round is used up one last model call without tools gives the answer, its calls are dropped and traced by name and reason, and every round ends with exactly one terminal event.',
  'PHA-7':
    'In a triggered round the model reads this round’s results as marked system messages before the user message, while earlier rounds appear as native pairs.',
  'PHA-8': 'Every frame of a triggered round names its phase, request, workspace, phase index and cycle index.',
  'PHA-9':
    'Redacted, expiring traces tell how tools were registered, called, answered, repeated, ignored and phased, each phase with its reason, to readers with the permission.',
  'PHA-10': 'The chat hides raw tool output until the reader asks for it.',
  'PHA-11':
    'Routes start a round under either protocol and resume a paused one, from the phase that would come next and no other.',
  'PHA-12': 'In plan mode a round may use only pure tools, in act mode all of them.',

  'LIN-1':
    'The gaplessly numbered, typed and versioned events of a session are its only truth, each following the one before it or its fork point.',
  'LIN-2':
    'The assistant message is stored before its calls; call after call is recorded, judged, durably marked as started, run and answered, and a slow pure call makes what came before it durable and visible.',
  'LIN-3': 'Every tool use gets exactly one result, and no model is called while one is open.',
  'LIN-4': 'The end of a turn stores only what is not stored yet.',
  'LIN-5':
    'A pure function rebuilds the messages as of any event, and every closed prefix of a log satisfies the pairing and alternation rules of the providers.',
  'LIN-6':
    'Recovering and closing are pure functions of the log, and a fork shares its prefix, costs the same at any length, repeats nothing and can go on at once.',
  'LIN-7':
    'Compaction replaces older exchanges in the context by a summary without splitting a pair, always gets somewhere, keeps the taint, and leaves the log alone.',
  'LIN-8':
    'Any prompt that was sent can be rebuilt exactly from the log and the parts it names, and an erased part shows as erased.',

  'COO-1':
    'Asking returns at once with a round id, a followable stream of turns for any number of subscribers, a completion that always resolves, and a way to cancel.',
  'COO-2':
    'Rounds, requests, responses and turns with their status, content, calls, tokens, cost and times can be read from the log.',
  'COO-3':
    'A workspace adds its folder, active files, refreshed dynamic context, prompt settings, models and MCP servers to its sessions.',
  'COO-4':
    'Coordinators live on demand within limits, rounds beyond them queue fairly and are then refused, and a message to a busy session queues, is rejected or interrupts as asked.',
  'COO-5':
    'Cancelling reaches the model stream, tools and their children within a second, and a client that merely disconnects cancels nothing.',
  'COO-6':
    'Model calls are retried with backoff, at most one visible reset per turn, circuit breakers and an announced fallback; tools only as their effect class allows.',
  'COO-7':
    'Metrics, traces and health are published, and under pressure new rounds are refused while running ones finish.',
  'COO-8':
    'MCP servers are watched, restarted and isolated from each other, with namespaced tools and definitions that need approval again once changed.',
  'COO-9': 'The system prompt that would be sent can be inspected layer by layer with sizes and hashes.',
  'COO-10':
    'Services start in dependency order and close in reverse, and a termination signal drains running rounds for a bounded time and leaves the rest to recovery.',

  'GOV-1':
    'The model reaches data, network and permissions only through gated tools and with no more rights than the user it acts for.',
  'GOV-2':
    'The prompt is five ordered layers plus the tool guardrail, no later layer can change an earlier one, and the hash of each is kept with every turn.',
  'GOV-3':
    'The context window is divided into reserved parts and shares, truncated from the lowest priority, and an oversized governed prompt is refused rather than cut.',
  'GOV-4':
    'System prompts are versioned through review, never approved by their author, with exactly one active per workspace after an atomic, audited switch.',
  'GOV-5':
    'User preferences for length, formality, instructions, memory and search form a layer of their own and gate the tools they concern.',
  'GOV-6':
    'Models are registered by key with provider, window, prices and defaults and can be swapped while running, for a session or for one round.',
  'GOV-7':
    'Turns, tool calls, driving time, silence and tools of a round are bounded, each bound ends it with its own finish reason, and a client may lower a limit but never raise it.',
  'GOV-8':
    'The gate takes its steps in one fixed order, checks all rules again after an approval, and every refusal returns to the model with a code.',
  'GOV-9':
    'Costs are whole micro-dollars, estimated first, reserved in the transaction of the start and settled in that of the result, so that nothing overspends.',
  'GOV-10': 'Daily token and tool budgets follow the user’s entitlements, and every use is counted exactly once.',
  'GOV-11': 'Local, MCP and workflow tools are kinds of one thing and pass the same gate.',
  'GOV-12':
    'Workflows can be managed, invoked at once or in the background and followed, on several engines, with checked input and output.',
  'GOV-13':
    'Workflow retries and quotas respect the effect class, carry the idempotency key and reserve before they use.',
  'GOV-14':
    'Every invocation has a key made from its origin, and a unique constraint makes the same key return the same invocation.',
  'GOV-15': 'Inbound webhooks are accepted only with a fresh, unused signature over the raw body by a current key.',
  'GOV-16': 'Events that pass a trigger’s filters start workflows durably, at least once and keyed.',
  'GOV-17':
    'A chat streams typed frames whose ids stand for stored facts, and a reconnecting client gets exactly the rest, even within a turn.',
  'GOV-18':
    'Memories are suggested by tool or tag, few, short, free of secrets, consented, deletable, audited, and never taken unasked from untrusted content.',
  'GOV-19':
    'Knowledge documents pass review before publication and are found by keyword and, where configured, by vector.',
  'GOV-20': 'What can wait until after the answer runs from a durable queue once the answer is stored.',
  'GOV-21':
    'By policy an approval is decided by who asked, by a role, a group or a person, or by several who are not the asker, and what is not yours to decide is absent.',
  'GOV-22':
    'What a provider is sent only grows at its end within a session, nothing is sent that a model refuses, and nobody gets around a cost budget by a model or tool without a price.',
  'GOV-30':
    'Orchestrator audit events carry a canonical hash of their redacted input, and a chain over the log reveals any change, reordering or removal.',
  'GOV-31': 'One table maps error codes to HTTP status, and error bodies are problem documents with the request id.',
  'GOV-32':
    'Permissions come from roles through hashed, scoped, expiring API keys or verified tokens, and what belongs to others looks absent.',

  'REL-1':
    'What was acknowledged is on disk, and killing the process at any moment loses none of it and leaves a session that can go on.',
  'REL-2':
    'A started call is repeated only if its declared effect class permits; otherwise its effect is unknown, everyone is told, and a person can settle it.',
  'REL-3':
    'A session has one writer under an epoch, outside inputs are stored first under a unique key, and a fenced writer stores and starts nothing more.',
  'REL-4':
    'Recovery follows purely from the log, only appends, may itself be killed anywhere, and gives a round up after three takeovers without progress.',
  'REL-5':
    'Slow readers, huge results, stalled providers, full disks and lost databases have a bounded effect and a clear error, and heal without a restart.',
  'REL-6':
    'A URL from outside is fetched only over http(s) from a checked and pinned public address, with redirects checked again and size and time capped.',
  'REL-7':
    'Several nodes on one database act as one: a dead node’s rounds continue elsewhere within seconds and can be followed from any node.',
  'REL-8':
    'No input, however long or crafted, stalls the process: it is worked on in bounded steps or off the main thread, and nothing that ignores its signal keeps a round or the process from ending.',
  'REL-9':
    'Opening a session, its next round, a fork and following from a cursor cost about the same however long the history is.',
} as const satisfies Record<`${keyof typeof sources}-${number}`, string>

export type RequirementId = keyof typeof requirements

/** Ids that no test shows yet. An id leaves this list in the change that brings its first test. */
export const planned: readonly RequirementId[] = ['GOV-21']
