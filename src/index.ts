export { createSegno } from './app.ts'
export type { CostView, Permission, Segno, SegnoOptions } from './segno.ts'
export { LOCAL_OWNER, type Actor } from './contract/actor.ts'
export type { Channel, ChannelMessage, OrchestratorEvent } from './contract/channel.ts'
export type { EventData, EventType, StoredEvent } from './contract/event.ts'
export type { RetryOptions } from './contract/round-started.ts'
export type { Invocation } from './contract/invocation.ts'
export type { FilePart, Message, MessageContent, NewFile, Usage } from './contract/message.ts'
export type { ModelParams } from './contract/model-params.ts'
export type { EffectClass, FinishReason, Mode, Outcome, Protocol } from './contract/outcome.ts'
export { Problem, type ProblemCode } from './contract/problem.ts'
export type { Pulse } from './contract/pulse.ts'
export {
  answersLater,
  withFiles,
  type LaterAnswer,
  type Tool,
  type ToolContext,
  type ToolFile,
  type ToolOutput,
  type Verification,
} from './contract/tool.ts'
export type { Completion, Turn } from './contract/turn.ts'
export type { Shown } from './contract/shown.ts'
export type { ApprovalView, RoundView, SessionView, UnknownCallView } from './contract/views.ts'
