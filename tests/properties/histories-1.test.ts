import { verifies } from '../support/verifies.ts'
import { historiesSuite } from './histories.ts'

const suite = historiesSuite(1, 2)

verifies(
  ['LIN-1', 'LIN-2', 'LIN-3', 'LIN-4', 'LIN-5', 'LIN-6', 'PHA-2', 'PHA-5', 'PHA-6', 'GOV-7', 'REL-2', 'REL-3', 'REL-4'],
  'every history the loop can write keeps the invariants, whole and cut off anywhere (first half)',
  suite.run,
  1_800_000,
)
