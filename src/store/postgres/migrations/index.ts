import { commits } from './0001-commits.ts'
import { inbox } from './0001-inbox.ts'
import { money } from './0001-money.ts'
import { tables } from './0001-tables.ts'
import { writeRows } from './0001-write-rows.ts'
import { asks } from './0002-money.ts'
import { prompts } from './0002-prompts.ts'
import { secrets } from './0003-secrets.ts'
import { params } from './0004-params.ts'
import { knowledge } from './0005-knowledge.ts'
import { workspaceContext } from './0006-workspace-context.ts'
import { automations } from './0007-automations.ts'
import type { Migration } from './migrate.ts'

const initial = tables + commits + writeRows + money + inbox

export const MIGRATIONS: readonly Migration[] = [
  initial,
  prompts + asks,
  secrets,
  params,
  knowledge,
  workspaceContext,
  automations,
]
