import { afterEach, beforeEach, describe } from 'vitest'
import type { Store } from '../../src/store/index.ts'
import { accountSuite } from './store/accounts.suite.ts'
import { approvalSuite } from './store/approvals.suite.ts'
import { askSuite } from './store/asks.suite.ts'
import { auditSuite } from './store/audit.suite.ts'
import { automationListSuite } from './store/automation-lists.suite.ts'
import { automationSecretSuite } from './store/automation-secrets.suite.ts'
import { automationSuite } from './store/automations.suite.ts'
import { budgetSuite } from './store/budgets.suite.ts'
import { commitSuite } from './store/commits.suite.ts'
import { erasingSuite } from './store/erasing.suite.ts'
import { fileSuite } from './store/files.suite.ts'
import { findingSuite } from './store/finding.suite.ts'
import { followingSuite } from './store/following.suite.ts'
import { forkSuite } from './store/forks.suite.ts'
import { inputSuite } from './store/inputs.suite.ts'
import { invocationSuite } from './store/invocations.suite.ts'
import { jobSuite } from './store/jobs.suite.ts'
import { knowledgeSuite } from './store/knowledge.suite.ts'
import { memorySuite } from './store/memories.suite.ts'
import { moneyRandomSuite } from './store/money-random.suite.ts'
import { outboxSuite } from './store/outbox.suite.ts'
import { ownershipSuite } from './store/ownership.suite.ts'
import { partSuite } from './store/parts.suite.ts'
import { projectionSuite } from './store/projections.suite.ts'
import { promptSuite } from './store/prompts.suite.ts'
import { randomSuite } from './store/random.suite.ts'
import { readingSuite } from './store/reading.suite.ts'
import { reservationSuite } from './store/reservations.suite.ts'
import { roundSuite } from './store/rounds.suite.ts'
import { secretSuite } from './store/secrets.suite.ts'
import { snapshotSuite } from './store/snapshots.suite.ts'
import { usageSuite } from './store/usage.suite.ts'
import type { Opened } from './store/subject.ts'

/** What each role of a store promises; see its contract in `src/store`. */
const ROLES = {
  log: [commitSuite, ownershipSuite, readingSuite, forkSuite, fileSuite, snapshotSuite, followingSuite, randomSuite],
  inbox: [inputSuite],
  lists: [projectionSuite, roundSuite, findingSuite, usageSuite, approvalSuite],
  accounts: [accountSuite],
  money: [budgetSuite, reservationSuite, askSuite, moneyRandomSuite],
  prompts: [promptSuite, partSuite],
  knowledge: [knowledgeSuite],
  memories: [memorySuite],
  outbox: [outboxSuite],
  automations: [automationSuite, automationSecretSuite, automationListSuite, invocationSuite],
  secrets: [secretSuite],
  audit: [auditSuite],
  jobs: [jobSuite],
  upkeep: [erasingSuite],
}

/**
 * What every store promises, whatever database is behind it, or some of its roles. Each test gets a database of its own
 * from `open`.
 */
export function storeSuite(
  name: string,
  open: () => Promise<Opened>,
  roles: readonly (keyof typeof ROLES)[] = Object.keys(ROLES) as (keyof typeof ROLES)[],
): void {
  describe(name, () => {
    let opened: Opened
    let store: Store
    beforeEach(async () => {
      opened = await open()
      store = opened.store
    })
    afterEach(() => opened.close())

    const subject = {
      get store() {
        return store
      },
      reopen: async () => (store = await opened.reopen()),
      second: () => opened.second(),
      endTime: () => opened.endTime(),
      runs: (most: number) => Math.ceil(most * (opened.share ?? 1)),
      get until() {
        return opened.until
      },
    }
    for (const role of roles) {
      describe(role, () => {
        for (const suite of ROLES[role]) suite(subject)
      })
    }
  })
}
