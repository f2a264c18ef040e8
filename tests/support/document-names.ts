const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Every name that somebody may look for who knows one of the documents, by the title it has on our page. */
export const NAMES_OF_DOCUMENTS: Readonly<Record<string, readonly string[]>> = {
  'The orchestrator': words(`
    Orchestrator OrchestratorConfig OrchestratorEvent message_start tool_call tool_result message_complete error
    handleMessage Channel ChannelMessage streamDelta streamComplete requestApproval onToolCallStart onToolCallResult
    RequestContext buildContext requestId sessionId userId workDir approvals startTime ProviderClient streamMessage
    ChatResponse StreamEvent text_delta tool_call_start tool_call_delta tool_call_end ToolRegistry ToolExecutor
    getAvailableToolDefinitions zodToJsonSchema AuditLogger NEVER_LOG message_received message_error tool_executed
    tool_denied SessionManager getOrCreateSession getSession addToHistory addMultipleToHistory maxHistoryLength
    clearHistory MockProvider addScenario goldenPath web_fetch bash SandboxExecutor
  `),
  'The triggered-phase protocol': [
    'POST /api/chat/messages',
    'POST /api/chat/messages_two_stage',
    'POST /api/chat/messages_two_stage/resume',
    'Tool budget reached; answer using existing results.',
    'Show tool outputs',
    ...words(`
      resumeFromPhaseIndex TWO_STAGE_ENABLED phase tool_phase action_phase complete phaseIndex cycleIndex requestId
      projectId toolBatchId ToolRunner signature normalizedArgs MAX_TOOLS_PER_TOOL_PHASE MAX_PHASE_CYCLES_PER_TURN
      tool_registration tool_call tool_result duplicate_tool_call orchestration_phase_start orchestration_phase_end
      pause cancelled
    `),
  ],
  'Linear events': [
    'the older order',
    ...words(`
      message.user message.assistant tool.call tool.result message.deleted compact.summary context.cleared targetEventId
      stopReason tool_use end_turn toolCallId isError tool_use_id is_error tokenUsage turn_start turn_end
      stream.turn_end tool_execution_start tool_execution_end getMessagesAt getAncestors mergeMessageContent
      appendEventLinearized flushPreToolContent hasPreToolContentFlushed hasPostToolContent TurnManager
      TurnContentTracker fork
    `),
  ],
  'The session coordinator': [
    'POST /:sessionId/request',
    'GET /:sessionId/prompt',
    ...words(`
      SessionCoordinator streamRequest responseId stream completionPromise cancel abortSignal timeoutMs retryOptions
      maxRetries retryableErrors backoffMs RATE_LIMITED TEMPORARY_FAILURE handleRequest createRound processRequest
      TurnEntity trackStreamingTurns createTurnStream systemPrompt buildContext cleanup getMetrics CoordinatorMetrics
      activeStreams totalRequestsProcessed totalStreamingTimeMs averageResponseTimeMs errorRate memoryUsage metadata
      workspaceId promptManager modelsManager mcpManager sessionManager filesManager dynamicContextManager
      SessionCoordinatorManager getCoordinator setActiveStatus cleanupInactive maxIdleTimeMs maxCoordinators
      maxConcurrentRequests waitForAvailableSlot ServiceRegistry registerServiceFactory getService
    `),
  ],
  'Governed orchestration': [
    'GET /api/chats/:id/stream',
    '[REMEMBER: …]',
    ...words(`
      AIOrchestrator process processStream OrchestratorConfig DEFAULT_ORCHESTRATOR_CONFIG model provider enableTools
      enableStreaming maxToolCalls maxIterations toolCallTimeout totalTimeout maxInputTokens maxOutputTokens temperature
      onToolCall onMemorySuggestion OrchestratorResult finishReason tokenCount iteration_limit IMMUTABLE_CORE
      TOOL_INSTRUCTIONS_GUARDRAIL assemblePrompt LLMClient CompletionParams CompletionResult canInvokeTool estimateCost
      ToolCostEstimate estimatedCost estimatedTokens estimatedLatencyMs confidence checkCostBudget dailyTokenBudget
      dailyToolBudget ToolCostConfig fixedCost costPerUnit inputField BUDGET_EXCEEDED COST_ESTIMATE_FAILED
      logInvocationStart logInvocationComplete ToolExecutorService executeLocal executeMCP requiresPermission
      formatToolForLLM inputSchema web_search send_email deep_reasoning WorkflowService registerWorkflow invoke
      invokeAsync getInvocationStatus handleWebhook RetryPolicy withRetry QuotaPolicy maxInvocationsPerHour
      maxConcurrent idempotencyKey generateIdempotencyKey TriggerEvent WorkflowEventDispatcher message.start
      message.delta tool.start tool.complete message.complete done TokenBudget CostPolicy inputTokenCost outputTokenCost
      TimeoutPolicy llmCallTimeout llmStreamTimeout toolMaxTimeout orchestrator.request.start
      orchestrator.request.complete orchestrator.request.error orchestrator.tool.call orchestrator.tool.result
      orchestrator.workflow.invoke orchestrator.workflow.result orchestrator.cost.recorded hashForAudit inputHash
      excludePIIFields AUDIT_HASH_CONFIG MODEL_REGISTRY getOrchestratorConfig claude-sonnet gpt-4o deepseek-chat
      OrchestratorError OrchestratorErrorCode TIMEOUT TOOL_LIMIT TOKEN_LIMIT COST_LIMIT MODEL_ERROR TOOL_ERROR
      WORKFLOW_ERROR CONTEXT_ERROR PERMISSION_DENIED RATE_LIMITED getActivePrompt getAIPreferences responseLength
      formality customInstructions searchMemories searchKnowledge memory_suggestions extractMemorySuggestions
    `),
  ],
}
