import type { Fence, Marker } from './block-syntax.ts'
import type { Align, Block, Inline, Row } from './markdown-tree.ts'
import { parseInlines } from './parse-inlines.ts'
import { trimStartSpaces } from './spaces.ts'

/**
 * Built once and given again as long as nothing was added, so that what has not changed is the same object. The parts
 * are compared, and a copy of the open blocks shares the memory with the original.
 */
type Memory = { parts: unknown[]; block?: Block }

/** A block that holds others. `blank` says that the line before, as far as this block can see it, was blank. */
export type Container = { children: Block[]; blank: boolean; memory: Memory } & (
  | { kind: 'root' }
  | { kind: 'quote' }
  | { kind: 'list'; marker: Marker; loose: boolean }
  | { kind: 'item'; width: number; done?: boolean }
)

/** A block that holds text and can still get more of it. The last line of a paragraph may become the head of a table. */
type Leaf = { memory: Memory } & (
  | { kind: 'paragraph'; before: string; line: string }
  | { kind: 'fence'; fence: Fence; indent: number; lines: number; text: string }
  | { kind: 'indented'; text: string; blanks: number }
  | { kind: 'table'; align: Align[]; head: Row; rows: Row[] }
)

/** What is still open at the end of a text: the containers from the outside in, and the text in the innermost one. */
export type OpenBlocks = { containers: Container[]; leaf?: Leaf | undefined }

// Deeper nesting is shown as text.
export const MOST_CONTAINERS = 32

export function newMemory(): Memory {
  return { parts: [] }
}

export function nothingOpen(): OpenBlocks {
  return { containers: [{ kind: 'root', children: [], blank: false, memory: newMemory() }] }
}

/** A copy to try something on. Finished blocks are not copied, only pointed to. */
export function copyOf({ containers, leaf }: OpenBlocks): OpenBlocks {
  return {
    containers: containers.map((one) => ({ ...one, children: [...one.children] })),
    leaf: leaf?.kind === 'table' ? { ...leaf, rows: [...leaf.rows] } : leaf && { ...leaf },
  }
}

export function innermost({ containers }: OpenBlocks): Container {
  const last = containers.at(-1)
  if (last === undefined) throw new Error('the root of a text is never closed')
  return last
}

/** Closes containers until so many are left. */
export function closeTo(open: OpenBlocks, count: number): void {
  if (open.containers.length > count) closeLeaf(open)
  while (open.containers.length > count) {
    const closed = innermost(open)
    open.containers.pop()
    innermost(open).children.push(containerBlock(closed))
  }
}

/** Closes everything and gives the blocks of the text. */
export function closeAll(open: OpenBlocks): Block[] {
  closeTo(open, 1)
  closeLeaf(open)
  return innermost(open).children
}

export function closeLeaf(open: OpenBlocks): void {
  const { leaf } = open
  if (leaf === undefined) return
  delete open.leaf
  innermost(open).children.push(leafBlock(leaf, innermost(open)))
}

/** Makes room for a block in the innermost container. A list holds only items, so any other block ends it. */
export function beginBlock(open: OpenBlocks): void {
  closeLeaf(open)
  if (innermost(open).kind === 'list') closeTo(open, open.containers.length - 1)
  const parent = innermost(open)
  const list = open.containers.at(-2)
  if (parent.kind === 'item' && list?.kind === 'list' && parent.blank && parent.children.length > 0) list.loose = true
}

export function addBlock(open: OpenBlocks, block: Block): void {
  beginBlock(open)
  innermost(open).children.push(block)
}

function containerBlock(container: Container): Block {
  const { children, memory } = container
  const parts = [children.length, children.at(-1)]
  switch (container.kind) {
    case 'list': {
      const { loose, marker } = container
      const start = marker.start === undefined ? {} : { start: marker.start }
      return once(memory, [...parts, loose], () => ({ type: 'list', ...start, loose, children }))
    }
    case 'item': {
      const done = container.done === undefined ? {} : { done: container.done }
      return once(memory, [...parts, container.done], () => ({ type: 'item', ...done, children }))
    }
    case 'quote':
    case 'root':
      return once(memory, parts, () => ({ type: 'quote', children }))
  }
}

function leafBlock(leaf: Leaf, parent: Container): Block {
  switch (leaf.kind) {
    case 'paragraph':
      return paragraphBlock(leaf.memory, withoutTask(leaf.before + leaf.line, parent))
    case 'fence':
      return once(leaf.memory, [leaf.text], () => ({ type: 'code', info: leaf.fence.info, text: leaf.text }))
    case 'indented':
      return once(leaf.memory, [leaf.text], () => ({ type: 'code', info: '', text: leaf.text }))
    case 'table': {
      const { align, head, rows } = leaf
      return once(leaf.memory, [rows.length, rows.at(-1)], () => ({ type: 'table', align, head, rows }))
    }
  }
}

export function paragraphBlock(memory: Memory, text: string): Block {
  return once(memory, [text], () => ({ type: 'paragraph', children: parseInlines(text) }))
}

function withoutTask(text: string, parent: Container): string {
  const box = parent.kind === 'item' && parent.children.length === 0 ? /^\[([ xX])\][ \t\n]/.exec(text) : null
  if (box === null || parent.kind !== 'item') return text
  parent.done = box[1] !== ' '
  return trimStartSpaces(text.slice(3))
}

function once(memory: Memory, parts: unknown[], build: () => Block): Block {
  const same = memory.block !== undefined && parts.every((part, at) => part === memory.parts[at])
  memory.block = same && memory.block !== undefined ? memory.block : build()
  memory.parts = parts
  return memory.block
}

export function cellInlines(cells: string[]): Inline[][] {
  return cells.map((cell) => parseInlines(cell, true))
}
