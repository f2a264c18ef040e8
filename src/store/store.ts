import type { AccountStore } from './accounts.ts'
import type { AuditStore } from './audit.ts'
import type { InboxStore } from './inbox.ts'
import type { JobStore } from './jobs.ts'
import type { ListStore } from './lists.ts'
import type { LogStore } from './log.ts'
import type { MoneyStore } from './money.ts'
import type { UpkeepStore } from './upkeep.ts'

/**
 * The only door to a database: the sum of its roles. A room asks for those it uses. A method that resolves has made its
 * change durable; a database that cannot write rejects with Problem STORE_UNAVAILABLE and has changed nothing.
 */
export interface Store
  extends LogStore, InboxStore, ListStore, AccountStore, MoneyStore, AuditStore, JobStore, UpkeepStore {}
