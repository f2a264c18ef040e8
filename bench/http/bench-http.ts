import type { Place } from '../place.ts'
import type { Line } from '../report.ts'
import { startClient } from './client.ts'
import { benchFollowers } from './followers.ts'
import { benchPaced } from './paced.ts'
import { benchRates } from './rates.ts'
import { startFloor, startSegno } from './server.ts'
import { benchSlowReaders } from './slow-readers.ts'

/** The server next to a bare one: real processes, real sockets. */
export async function benchHttp(place: Place, quick: boolean): Promise<Line[]> {
  const client = startClient()
  const servers = {
    normal: await startSegno(place, 'normal'),
    full: await startSegno(place, 'full'),
    floor: await startFloor(place),
  }
  const lines = [
    ...(await benchRates(client, servers, quick ? 3 : 15, quick ? 800 : 1200)),
    ...(await benchPaced(client, servers, quick ? 1 : 5, quick ? 2000 : 6000)),
    ...(await benchSlowReaders(client, servers.normal, quick ? 3 : 15, quick ? 800 : 1200)),
  ]
  client.stop()
  await Promise.all(Object.values(servers).map((server) => server.stop()))
  return [...lines, ...(await benchFollowers(place, quick ? 1 : 3))]
}
