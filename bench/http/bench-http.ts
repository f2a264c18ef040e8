import type { Place } from '../place.ts'
import type { Line } from '../report.ts'
import { benchFollowers } from './followers.ts'
import { benchPaced } from './paced.ts'
import { benchRates } from './rates.ts'
import { benchSlowReaders } from './slow-readers.ts'

/** The server next to a bare one: real processes, real sockets. */
export async function benchHttp(place: Place, quick: boolean): Promise<Line[]> {
  return [
    ...(await benchRates(place, quick ? 3 : 10, quick ? 1000 : 2000)),
    ...(await benchPaced(place, quick ? 2 : 4, quick ? 1500 : 6000)),
    ...(await benchFollowers(place, quick ? 1 : 3)),
    await benchSlowReaders(place, quick ? 3 : 10, quick ? 1000 : 2000),
  ]
}
