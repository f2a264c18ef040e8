import type { Cluster } from './cluster/index.ts'
import type { Coordinator } from './round/index.ts'
import type { RelayOptions } from './stream/index.ts'

/** How the owner of a session on another node is followed. */
export function relayTo({ request }: Cluster): RelayOptions {
  return {
    async connect(owner, sessionId, signal) {
      const query = new URLSearchParams({ session: sessionId, owner })
      const { status, body } = await request(owner, `/internal/follow?${query.toString()}`, { signal })
      if (status === 200 && body) return body
      await body?.cancel()
      throw new Error(`node ${owner} answered ${status}`)
    },
  }
}

/** Reacts to changes in the cluster; what fails here is made up for by the next poll. */
export function followCluster(cluster: Cluster, coordinator: Coordinator): void {
  const rescue = (): void => void coordinator.rescue().catch(() => {})
  cluster.onLost(coordinator.giveUp)
  cluster.onRegained(rescue)
  cluster.onGone(rescue)
  cluster.onWoken((sessionId) => void coordinator.wake(sessionId).catch(() => {}))
}
