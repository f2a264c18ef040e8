import type { RoundLimits } from '../contract/limits.ts'
import type { Config } from './config.ts'

/** What each room is told of the configuration, under the room's own names. */

export function roundLimits({ limits }: Config): RoundLimits {
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

export function loopSettings({ limits }: Config) {
  return {
    historyMessages: limits.HISTORY_MESSAGES,
    contextTokens: limits.CONTEXT_TOKENS,
    outputChars: limits.OUTPUT_CHARS,
    fileBytes: limits.FILE_BYTES,
    resultFiles: limits.MESSAGE_FILES,
    toolMs: limits.TOOL_MS,
    toolMaxMs: limits.TOOL_MAX_MS,
    approvalMs: limits.APPROVAL_MS,
    questionMs: limits.QUESTION_MS,
    builtChars: limits.BUILT_CHARS,
    retries: limits.RETRIES,
    retryBaseMs: limits.RETRY_BASE_MS,
    retryAfterMs: limits.RETRY_AFTER_MS,
    contentGapMs: limits.CONTENT_GAP_MS,
    modelCallMs: limits.MODEL_CALL_MS,
    connectMs: limits.CONNECT_MS,
    fileBytesAtOnce: limits.PROMPT_FILE_BYTES,
    answerChars: limits.ANSWER_CHARS,
  }
}

/** How long a second model may take: it is a tool, and no tool takes longer than any may. */
export function reasoning({ limits }: Config) {
  const ms = limits.TOOL_MAX_MS
  const patience = {
    connectMs: Math.min(limits.CONNECT_MS, ms),
    firstContentMs: ms,
    contentGapMs: Math.min(limits.CONTENT_GAP_MS, ms),
    hurried: false,
  }
  return { timeoutMs: ms, patience, answerChars: limits.ANSWER_CHARS }
}

export function egressLimits({ limits, privateOrigins }: Config) {
  return {
    privateOrigins,
    connectMs: limits.EGRESS_CONNECT_MS,
    headerBytes: limits.EGRESS_HEADER_BYTES,
    maxRedirects: limits.EGRESS_REDIRECTS,
  }
}

export function webLimits({ limits }: Config) {
  return { fetchMs: limits.FETCH_MS, bodyBytes: limits.FETCH_BYTES, convertMs: limits.FETCH_CONVERT_MS }
}

export function bashLimits({ limits }: Config) {
  return {
    timeoutMs: Math.min(limits.BASH_MS, limits.TOOL_MAX_MS),
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
  }
}

export function mcpLimits({ limits }: Config) {
  return {
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
  }
}

export function contentLimits({ limits }: Config) {
  return { messageChars: limits.MESSAGE_CHARS, fileBytes: limits.FILE_BYTES, messageFiles: limits.MESSAGE_FILES }
}

export function breakerLimits({ limits }: Config) {
  return { failures: limits.BREAKER_FAILURES, openMs: limits.BREAKER_MS }
}

export function coordinatorLimits({ limits }: Config) {
  return {
    maxCoordinators: limits.MAX_COORDINATORS,
    maxRounds: limits.MAX_ROUNDS,
    queueLength: limits.QUEUE_LENGTH,
    waitingInputs: limits.WAITING_INPUTS,
    idleMs: limits.IDLE_MS,
  }
}

export function httpSettings({ limits, protocol, requireKey, corsOrigins, twoStage }: Config) {
  return {
    protocol,
    bodyBytes: limits.BODY_BYTES,
    fileBytes: limits.FILE_BYTES,
    messageFiles: limits.MESSAGE_FILES,
    waitMs: limits.WAIT_MS,
    maxStreams: limits.MAX_STREAMS,
    requireKey,
    corsOrigins,
    twoStage,
  }
}
