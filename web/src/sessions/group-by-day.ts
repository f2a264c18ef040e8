export interface DayGroup<T> {
  readonly name: 'Today' | 'Yesterday' | 'This week' | 'Older'
  readonly items: readonly T[]
}

/** Groups items, sorted by last use, into today, yesterday, this week and older, in local time. */
export function groupByDay<T extends { readonly usedAt: string }>(items: readonly T[], now: number): DayGroup<T>[] {
  const groups: { name: DayGroup<T>['name']; items: T[] }[] = []
  for (const item of items) {
    const name = nameOf(Date.parse(item.usedAt), now)
    const last = groups.at(-1)
    if (last?.name === name) last.items.push(item)
    else groups.push({ name, items: [item] })
  }
  return groups
}

function nameOf(at: number, now: number): DayGroup<unknown>['name'] {
  if (at >= midnight(now, 0)) return 'Today'
  if (at >= midnight(now, 1)) return 'Yesterday'
  return at >= midnight(now, 6) ? 'This week' : 'Older'
}

/** By the calendar: days on which the clock is changed do not have 24 hours. */
function midnight(now: number, daysBefore: number): number {
  const day = new Date(now)
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - daysBefore).getTime()
}
