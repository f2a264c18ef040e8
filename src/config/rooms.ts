import { join } from 'node:path'
import type { RoundLimits } from '../contract/limits.ts'
import { shownDatabase } from './cluster-settings.ts'
import type { Config } from './config.ts'

/** The database's location, for people. */
export function storeName({ home, databaseUrl }: Config): string {
  return databaseUrl === undefined ? join(home, 'segno.db') : shownDatabase(databaseUrl)
}

export type Rooms = ReturnType<typeof roomsOf>

/** The part of the configuration for each room, in the room's own names. */
export function roomsOf(config: Config) {
  const { limits, home, protocol } = config
  const files = { fileBytes: limits.FILE_BYTES, messageFiles: limits.MESSAGE_FILES }
  return {
    store: { file: join(home, 'segno.db'), durability: config.durability },
    postgres: {
      url: config.databaseUrl,
      connections: limits.DB_CONNECTIONS,
      connectMs: limits.DB_CONNECT_MS,
      statementMs: limits.DB_STATEMENT_MS,
      startMs: limits.DB_START_MS,
    },
    cluster: { secret: config.clusterSecret, address: config.nodeUrl },
    models: {
      model: config.model,
      entries: config.models,
      assumedPrices: config.assumedPrices,
      script: config.script,
      providers: config.namedProviders,
      settings: config.providers,
      probeMs: limits.PROBE_MS,
      listing: { listMs: limits.LIST_MS, keepMs: limits.LIST_KEEP_MS, most: limits.LIST_MODELS },
    },
    secrets: { file: config.secretKeyFile },
    providers: { most: limits.PROVIDERS, testMs: limits.PROVIDER_TEST_MS },
    breakers: { failures: limits.BREAKER_FAILURES, openMs: limits.BREAKER_MS },
    windows: { keepMs: limits.LEARNED_WINDOW_MS },
    workspaces: { home, roots: config.folderRoots, leastEveryMs: limits.CONTEXT_EVERY_MS },
    // Half of the time for all that is looked up, so that what was found by then is used.
    contexts: {
      textChars: limits.CONTEXT_CHARS,
      waitMs: Math.min(limits.CONTEXT_WAIT_MS, Math.ceil(limits.RETRIEVAL_MS / 2)),
    },
    prompts: { promptChars: limits.PROMPT_CHARS, mostTokens: limits.SYSTEM_TOKENS, fourEyes: config.fourEyes },
    documents: {
      fourEyes: config.fourEyes,
      parsers: limits.PARSERS,
      limits: {
        bytes: limits.DOCUMENT_BYTES,
        parseMs: limits.DOCUMENT_PARSE_MS,
        memoryBytes: limits.DOCUMENT_MEMORY_BYTES,
        chars: limits.DOCUMENT_CHARS,
        chunks: limits.DOCUMENT_CHUNKS,
      },
    },
    memories: { most: limits.MEMORIES, embedMs: limits.RETRIEVAL_MS },
    finder: { retrievalMs: limits.RETRIEVAL_MS },
    tools: toolSettings(config),
    workflows: workflowSettings(config),
    loop: loopSettings(config),
    coordinator: {
      maxCoordinators: limits.MAX_COORDINATORS,
      maxRounds: limits.MAX_ROUNDS,
      queueLength: limits.QUEUE_LENGTH,
      waitingInputs: limits.WAITING_INPUTS,
      idleMs: limits.IDLE_MS,
      memoryPercent: limits.MEMORY_PERCENT,
    },
    rounds: { protocol, limits: roundLimits(config), messageChars: limits.MESSAGE_CHARS, ...files },
    params: { schemaChars: limits.SCHEMA_CHARS },
    imports: { mostChars: limits.IMPORT_CHARS, mostEvents: limits.IMPORT_EVENTS },
    readings: { traceMs: limits.TRACE_MS },
    nodeStreams: { most: limits.MAX_NODE_STREAMS },
    hub: { queueChars: limits.STREAM_CHARS, sharedChars: limits.STREAM_SHARED_CHARS },
    jobs: {
      claimMs: untilUnsigned(limits.CLAIM_MS, limits),
      attempts: limits.JOB_ATTEMPTS,
      quiet: { hours: config.quietHours, rewriteUpTo: limits.REWRITE_BYTES },
    },
    life: { drainMs: limits.DRAIN_MS },
    accounts: { requestsPerMinute: limits.RATE_PER_MINUTE },
    http: {
      protocol,
      ...files,
      bodyBytes: limits.BODY_BYTES,
      documentBytes: limits.DOCUMENT_BYTES,
      answerBytes: limits.WORKFLOW_ANSWER_BYTES,
      eventDepth: limits.EVENT_DEPTH,
      promptTokens: limits.SYSTEM_TOKENS,
      waitMs: limits.WAIT_MS,
      maxStreams: limits.MAX_STREAMS,
      requireKey: config.requireKey,
      corsOrigins: config.corsOrigins,
      twoStage: config.twoStage,
    },
  }
}

function roundLimits({ limits }: Config): RoundLimits {
  return {
    maxIterations: limits.MAX_ITERATIONS,
    maxToolCalls: limits.MAX_TOOL_CALLS,
    maxCycles: limits.MAX_CYCLES,
    maxFruitless: limits.MAX_FRUITLESS,
    totalMs: limits.TOTAL_MS,
    modelCallMs: limits.MODEL_CALL_MS,
    contentGapMs: limits.CONTENT_GAP_MS,
    toolMs: limits.TOOL_MS,
  }
}

function loopSettings({ limits, summaryModel, titleModel, assumedToolCost }: Config) {
  return {
    assumedToolCost,
    historyMessages: limits.HISTORY_MESSAGES || Infinity,
    contextTokens: limits.CONTEXT_TOKENS,
    compactPercent: limits.COMPACT_PERCENT,
    summaryChars: limits.SUMMARY_CHARS,
    summaryModel,
    titleModel,
    snapshotEvents: limits.SNAPSHOT_EVENTS,
    outputChars: limits.OUTPUT_CHARS,
    fileBytes: limits.FILE_BYTES,
    resultFiles: limits.MESSAGE_FILES,
    remembers: limits.REMEMBERS,
    toolMs: limits.TOOL_MS,
    toolMaxMs: limits.TOOL_MAX_MS,
    submittedMs: limits.SUBMITTED_MS,
    submittedMaxMs: limits.SUBMITTED_MAX_MS,
    approvalMs: limits.APPROVAL_MS,
    questionMs: limits.QUESTION_MS,
    builtChars: limits.BUILT_CHARS,
    retries: limits.RETRIES,
    retryBaseMs: limits.RETRY_BASE_MS,
    retryAfterMs: limits.RETRY_AFTER_MS,
    totalMs: limits.TOTAL_MS,
    contentGapMs: limits.CONTENT_GAP_MS,
    modelCallMs: limits.MODEL_CALL_MS,
    connectMs: limits.CONNECT_MS,
    fileBytesAtOnce: limits.PROMPT_FILE_BYTES,
    answerChars: limits.ANSWER_CHARS,
  }
}

/** A request that was signed as early as may be is good for twice the time, and must not count again. */
const untilUnsigned = (ms: number, { SIGNED_MS }: Config['limits']): number => Math.max(ms, 2 * SIGNED_MS)

function workflowSettings(config: Config) {
  const { limits, host, port, workflowOrigins, temporal, publicUrl } = config
  const onLoopback = host.includes(':') ? `http://[${host}]:${port}` : `http://${host}:${port}`
  return {
    temporal,
    /** where engines report results: a Segno that only this machine reaches has its own address */
    url: publicUrl ?? (config.requireKey || port === 0 ? undefined : onLoopback),
    egress: {
      privateOrigins: workflowOrigins,
      connectMs: limits.EGRESS_CONNECT_MS,
      headerBytes: limits.EGRESS_HEADER_BYTES,
    },
    most: limits.AUTOMATIONS,
    inputChars: limits.INVOCATION_CHARS,
    answerBytes: limits.WORKFLOW_ANSWER_BYTES,
    atOnce: limits.INVOCATIONS_AT_ONCE,
    keepMs: untilUnsigned(limits.INVOCATION_KEEP_MS, limits),
    handOverMs: limits.WORKFLOW_MS,
    handOverMaxMs: limits.WORKFLOW_MAX_MS,
    waitMs: limits.SUBMITTED_MS,
    waitMaxMs: limits.SUBMITTED_MAX_MS,
    webhookMs: limits.WEBHOOK_MS,
    webhookTryMs: limits.WEBHOOK_TRY_MS,
    signedMs: limits.SIGNED_MS,
    depth: limits.EVENT_DEPTH,
    eventsPerMinute: limits.EVENTS_PER_MINUTE,
  }
}

function toolSettings(config: Config) {
  const { limits, home, host, port, knownHosts, folderRoots, cgroup, privateOrigins, reasoningModel } = config
  const { search, assumedToolCost } = config
  // The second model is a tool, and no tool may take longer than TOOL_MAX_MS.
  const timeoutMs = limits.TOOL_MAX_MS
  return {
    home,
    host,
    port,
    knownHosts,
    folderRoots,
    cgroup,
    reasoning: {
      model: reasoningModel,
      timeoutMs,
      patience: {
        connectMs: Math.min(limits.CONNECT_MS, timeoutMs),
        firstContentMs: timeoutMs,
        contentGapMs: Math.min(limits.CONTENT_GAP_MS, timeoutMs),
        hurried: false,
      },
      answerChars: limits.ANSWER_CHARS,
    },
    egress: {
      privateOrigins,
      connectMs: limits.EGRESS_CONNECT_MS,
      headerBytes: limits.EGRESS_HEADER_BYTES,
      maxRedirects: limits.EGRESS_REDIRECTS,
    },
    web: { fetchMs: limits.FETCH_MS, bodyBytes: limits.FETCH_BYTES, convertMs: limits.FETCH_CONVERT_MS },
    search: search && {
      ...search,
      cost: search.cost ?? assumedToolCost,
      limits: {
        searchMs: Math.min(limits.SEARCH_MS, timeoutMs),
        results: limits.SEARCH_RESULTS,
        hitChars: limits.SEARCH_HIT_CHARS,
        bodyBytes: limits.SEARCH_BYTES,
      },
    },
    bash: {
      timeoutMs: Math.min(limits.BASH_MS, timeoutMs),
      processBytes: limits.BASH_PROCESS_BYTES,
      memoryBytes: limits.BASH_MEMORY_BYTES,
      processes: limits.BASH_PROCESSES,
      fileBytes: limits.BASH_FILE_BYTES,
      openFiles: limits.BASH_OPEN_FILES,
      cpuSeconds: limits.BASH_CPU_SECONDS,
      tmpBytes: limits.BASH_TMP_BYTES,
      diskBytes: limits.BASH_DISK_BYTES,
      diskFiles: limits.BASH_DISK_FILES,
      outputBytes: limits.BASH_OUTPUT_BYTES,
    },
    mcp: {
      connectMs: limits.MCP_CONNECT_MS,
      startMs: limits.MCP_START_MS,
      probeMs: limits.MCP_PROBE_MS,
      healthMs: limits.MCP_HEALTH_MS,
      pingMs: limits.MCP_PING_MS,
      restartMs: limits.MCP_RESTART_MS,
      breakerFailures: limits.MCP_BREAKER_FAILURES,
      breakerMs: limits.MCP_BREAKER_MS,
      idleMs: limits.MCP_IDLE_MS,
      stopMs: limits.MCP_STOP_MS,
      maxRunning: limits.MCP_RUNNING,
      maxTools: limits.MCP_TOOLS,
      definitionBytes: limits.MCP_DEFINITION_BYTES,
      descriptionChars: limits.MCP_DESCRIPTION_CHARS,
      messageBytes: limits.MCP_MESSAGE_BYTES,
      floodMessages: limits.MCP_FLOOD_MESSAGES,
      logLines: limits.MCP_LOG_LINES,
      maxQuestions: limits.MCP_QUESTIONS,
      taskMs: limits.SUBMITTED_MS,
    },
  }
}
