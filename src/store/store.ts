import type { AccountStore } from './accounts.ts'
import type { AuditStore } from './audit.ts'
import type { AutomationStore } from './automations.ts'
import type { InboxStore } from './inbox.ts'
import type { InvocationStore } from './invocations.ts'
import type { JobStore } from './jobs.ts'
import type { KnowledgeStore } from './knowledge.ts'
import type { ListStore } from './lists.ts'
import type { LogStore } from './log.ts'
import type { MemoryStore } from './memories.ts'
import type { MoneyStore } from './money.ts'
import type { OutboxStore } from './outbox.ts'
import type { PromptStore } from './prompts.ts'
import type { SecretStore } from './secrets.ts'
import type { UpkeepStore } from './upkeep.ts'

/**
 * The port to a database; a resolved method is durable, and one that cannot write rejects with Problem
 * STORE_UNAVAILABLE.
 */
export interface Store
  extends
    LogStore,
    InboxStore,
    ListStore,
    AccountStore,
    MoneyStore,
    PromptStore,
    KnowledgeStore,
    MemoryStore,
    OutboxStore,
    AutomationStore,
    InvocationStore,
    SecretStore,
    AuditStore,
    JobStore,
    UpkeepStore {}
