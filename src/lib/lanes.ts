import { within } from './within.ts'

interface LaneOptions {
  /** so many tenants at once */
  readonly atOnce: number
  /** how long the slow are waited for */
  readonly patienceMs: number
}

interface OfTenant {
  readonly tenant: string
}

/** What is to be done for tenants: that of each in order and beside that of others, so that nobody waits for the slow. */
export function createLanes({ atOnce, patienceMs }: LaneOptions) {
  const busy = new Map<string, Promise<void>>()
  let isStopped = false

  async function doAll<T>(theirs: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
    for (const one of theirs) if (!isStopped) await work(one)
  }

  return {
    /**
     * Reads what is to be done and begins with it; resolves when it is done or takes long, with the tenants for whom
     * nothing was begun, because theirs is still being done. `work` must not reject.
     */
    async run<T extends OfTenant>(
      read: () => Promise<readonly T[]>,
      work: (one: T) => Promise<unknown>,
    ): Promise<ReadonlySet<string>> {
      // What is read may have been done meanwhile by whoever is busy now.
      const before = new Set(busy.keys())
      const groups = Map.groupBy(await read(), (one) => one.tenant)
      const left = new Set<string>()
      const begun: Promise<void>[] = []
      for (const [tenant, theirs] of groups) {
        if (before.has(tenant) || busy.size >= atOnce) left.add(tenant)
        else {
          const doing = doAll(theirs, work).finally(() => busy.delete(tenant))
          busy.set(tenant, doing)
          begun.push(doing)
        }
      }
      await within(patienceMs, Promise.all(begun))
      return left
    },
    /** Begins nothing more; resolves when nobody is busy. */
    async stop(): Promise<void> {
      isStopped = true
      await Promise.all(busy.values())
    },
  }
}
