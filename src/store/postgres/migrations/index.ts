import { commits } from './0001-commits.ts'
import { inbox } from './0001-inbox.ts'
import { money } from './0001-money.ts'
import { tables } from './0001-tables.ts'
import { writeRows } from './0001-write-rows.ts'
import type { Migration } from './migrate.ts'

const initial = tables + commits + writeRows + money + inbox

export const MIGRATIONS: readonly Migration[] = [initial]
