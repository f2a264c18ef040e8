import { withClient } from '../support/postgres/with-client.ts'
import { storeSettings } from '../support/store-under-test.ts'

/**
 * A node whose process is gone would be waited for until its time is over. Where a test knows that it is gone, it says
 * so: times short enough to wait for would also be over for a node that lives on a busy machine.
 */
export async function endLeases(home: string): Promise<void> {
  const { SEGNO_DATABASE_URL: url } = await storeSettings(home)
  if (url === undefined) return
  await withClient(url, (client) => client.query('UPDATE nodes SET until = least(until, now_ms())'))
}
