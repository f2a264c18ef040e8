export { automationsOf, type NewRun } from './automations.ts'
export type {
  AutomationRoute,
  AutomationWire,
  Delivery,
  Hook,
  RunCounts,
  RunReport,
  Schedule,
  Trigger,
  Webhook,
  Workflow,
  WorkflowInput,
  WorkflowRun,
} from './automation-wire.ts'
export { createClient, type Client, type EventQuery } from './client.ts'
export type { FollowOptions, FollowStatus } from './follow.ts'
export { ApiProblem, notSegno } from './problem.ts'
export { readForm, selectedIn, fieldsOf, readField, type Choice, type Field } from './question-fields.ts'
export type { RequestOptions, ClientOptions } from './request.ts'
export type {
  Approval,
  Decision,
  Delta,
  DoubtfulCall,
  Frame,
  KnowledgeDocument,
  NewMessage,
  NewSession,
  OwnMemory,
  Page,
  PromptVersion,
  Provider,
  Rotated,
  Round,
  RoundSummary,
  Session,
  SessionChanges,
  ShownWorkspace,
  TraceItem,
  WireEvent,
  WireEventOf,
  WorkspaceContext,
} from './wire.ts'
export { EFFORTS, type Effort, type ModelParams, type ParamChanges, type ToolChoice } from '../contract/model-params.ts'
export type { ListedModel, MeView, PromptView, UsageView, Wire } from '../contract/views.ts'
