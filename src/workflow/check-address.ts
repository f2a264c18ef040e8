import { invalidField } from '../contract/problem.ts'
import { EgressRefused, type Egress } from '../egress/index.ts'
import { refusalText } from './post-work.ts'

/** Refuses an address that nothing may be sent to; one that cannot be reached now may be later. */
export async function checkAddress(egress: Pick<Egress, 'check'>, field: string, url: string): Promise<void> {
  try {
    await egress.check(url)
  } catch (error) {
    if (!(error instanceof EgressRefused)) return
    throw invalidField(field, `cannot be used: ${refusalText(error, url).replace(/\.$/, '')}`)
  }
}
