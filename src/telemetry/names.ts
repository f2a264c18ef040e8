/** All names of metrics (Prometheus) and spans (OpenTelemetry conventions for generative AI); none is for content. */

export const METRICS = {
  info: { name: 'segno_info', help: 'Always 1; says which version runs.' },
  roundsStarted: { name: 'segno_rounds_started_total', help: 'Rounds started.' },
  roundsEnded: { name: 'segno_rounds_ended_total', help: 'Rounds ended, by how they ended.' },
  roundDuration: {
    name: 'segno_round_duration_seconds',
    help: 'Driving time of ended rounds: waiting for a person and pauses do not count.',
  },
  turns: { name: 'segno_turns_total', help: 'Model calls ended, by how they ended.' },
  turnDuration: { name: 'segno_turn_duration_seconds', help: 'Duration of model calls that were not cancelled.' },
  turnRetries: { name: 'segno_turn_retries_total', help: 'Model calls that were tried again, by why.' },
  toolCalls: { name: 'segno_tool_calls_total', help: 'Tool calls that have a result, by their outcome.' },
  toolDuration: {
    name: 'segno_tool_duration_seconds',
    help: 'Duration of tool calls that ran to an end of their own.',
  },
  tokens: { name: 'segno_tokens_total', help: 'Tokens of model calls.' },
  cost: { name: 'segno_cost_microdollars_total', help: 'Cost of ended rounds in millionths of a dollar.' },
  approvals: { name: 'segno_approvals_total', help: 'Approvals decided.' },
  events: { name: 'segno_events_stored_total', help: 'Events stored.' },
  streams: { name: 'segno_streams_active', help: 'Readers that follow a session now.' },
  roundsRunning: { name: 'segno_rounds_running', help: 'Rounds that hold a slot now.' },
  roundsQueued: { name: 'segno_rounds_queued', help: 'Sessions that wait for a slot now.' },
  sessionsLive: { name: 'segno_sessions_live', help: 'Sessions in memory now.' },
  takeovers: { name: 'segno_takeovers_total', help: 'Rounds taken over that another process left running.' },
  nodes: { name: 'segno_cluster_nodes', help: 'Nodes of the cluster that live, as this one sees it.' },
  leaseLeft: {
    name: 'segno_lease_left_seconds',
    help: 'How long this node may act without another renewal of its lease; 0: it may not.',
  },
  requests: { name: 'segno_http_requests_total', help: 'HTTP requests answered.' },
  requestDuration: { name: 'segno_http_request_duration_seconds', help: 'Time until an HTTP request was answered.' },
  rejected: { name: 'segno_http_rejected_total', help: 'HTTP requests refused, by error code.' },
  readersDropped: { name: 'segno_readers_dropped_total', help: 'Readers disconnected because they were too slow.' },
  jobsParked: {
    name: 'segno_jobs_parked_total',
    help: 'Stored jobs that were parked: they failed too often, or nobody knows their kind.',
  },
  spansLost: { name: 'segno_trace_spans_lost_total', help: 'Spans that did not reach the trace collector.' },
  memory: { name: 'process_resident_memory_bytes', help: 'Resident memory of the process.' },
  cpu: { name: 'process_cpu_seconds_total', help: 'Processor time of the process, user and system.' },
  lagMean: { name: 'nodejs_eventloop_lag_mean_seconds', help: 'Mean event loop lag since the last scrape.' },
  lagMax: { name: 'nodejs_eventloop_lag_max_seconds', help: 'Longest event loop lag since the last scrape.' },
} as const

/** Values of `gen_ai.operation.name`, with which span names begin. */
export const OPERATIONS = { round: 'invoke_agent', turn: 'chat', tool: 'execute_tool' } as const

export const ATTRIBUTES = {
  serviceName: 'service.name',
  serviceVersion: 'service.version',
  errorType: 'error.type',
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  model: 'gen_ai.request.model',
  conversation: 'gen_ai.conversation.id',
  finishReasons: 'gen_ai.response.finish_reasons',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cacheReadTokens: 'gen_ai.usage.cache_read.input_tokens',
  cacheWriteTokens: 'gen_ai.usage.cache_creation.input_tokens',
  reasoningTokens: 'gen_ai.usage.reasoning.output_tokens',
  toolName: 'gen_ai.tool.name',
  toolCall: 'gen_ai.tool.call.id',
  roundProtocol: 'segno.round.protocol',
  roundFinish: 'segno.round.finish_reason',
  roundCost: 'segno.round.cost_microdollars',
  /** calls that were refused, denied or cancelled before they started */
  roundIdleCalls: 'segno.round.calls_not_started',
  /** the span begins with the takeover by this process */
  roundTakenOver: 'segno.round.taken_over',
  turnNumber: 'segno.turn.number',
  turnRetries: 'segno.turn.retries',
  toolOutcome: 'segno.tool.outcome',
  toolEffect: 'segno.tool.effect',
} as const
