import { readdirSync, readFileSync } from 'node:fs'

interface Seen {
  readonly pid: number
  readonly parent: number
  readonly group: number
}

/** The processes that run; one that ended and was not fetched yet does not count. */
function running(): Seen[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        return state === 'Z' ? [] : [{ pid: Number(name), parent: Number(parent), group: Number(group) }]
      } catch {
        return []
      }
    })
}

/** The children of a process that lead a group of their own. */
export const leadersOf = (parent: number): number[] =>
  running()
    .filter((one) => one.parent === parent && one.pid === one.group)
    .map(({ pid }) => pid)

export const groupOf = (leader: number): number[] =>
  running()
    .filter(({ group }) => group === leader)
    .map(({ pid }) => pid)
