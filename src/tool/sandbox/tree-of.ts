import { readdir, readFile } from 'node:fs/promises'

/** A process and all its descendants; an orphan becomes a child of the first process in the sandbox. */
export async function treeOf(pid: number): Promise<number[]> {
  const found = [pid]
  for (const one of found) found.push(...(await childrenOf(one)))
  return found
}

async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => ''))
  return (await Promise.all(lists)).flatMap((list) => list.split(' ').filter(Boolean).map(Number))
}
