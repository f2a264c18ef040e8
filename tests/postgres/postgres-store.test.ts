import { storeSuite } from '../conformance/store.suite.ts'
import { openedStore } from '../support/postgres/opened-store.ts'
import { reusedDatabase } from '../support/postgres/reused-database.ts'

/** A run takes a second here; the rest is for `npm run test:postgres`. */
const SHARE = process.env['SEGNO_TEST_STORE'] === 'postgres' ? 1 : 0.05

storeSuite('postgres', async () => openedStore(await reusedDatabase(), SHARE))
