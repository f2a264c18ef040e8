import {
  alignmentsIn,
  cellsIn,
  closesFence,
  fenceIn,
  headingIn,
  isRule,
  markerIn,
  underlineIn,
  type Marker,
} from './block-syntax.ts'
import { dropCharacters, dropIndent, indentAt, restOf, startOfLine, type LineCursor } from './line-cursor.ts'
import {
  addBlock,
  beginBlock,
  cellInlines,
  closeLeaf,
  closeTo,
  innermost,
  MOST_CONTAINERS,
  newMemory,
  paragraphBlock,
  type OpenBlocks,
} from './open-blocks.ts'
import { parseInlines } from './parse-inlines.ts'
import { isBlank, trimStartSpaces } from './spaces.ts'

/** Adds one line to the blocks that are open, closes those it ends and opens those it begins. */
export function readLine(open: OpenBlocks, written: string): void {
  const cursor = startOfLine(written.endsWith('\r') ? written.slice(0, -1) : written)
  const inside = goInside(open, cursor)
  const reachesAll = inside === open.containers.length
  if (reachesAll && open.leaf?.kind === 'fence') return readFenced(open, cursor)
  if (isBlank(restOf(cursor))) return readBlank(open, inside)
  readBlocks(open, cursor, inside)
  for (const container of open.containers) container.blank = false
}

/** Goes through the prefixes of the open containers, and says how many of them the line belongs to. */
function goInside(open: OpenBlocks, cursor: LineCursor): number {
  let inside = 1
  for (const container of open.containers.slice(1)) {
    const indent = indentAt(cursor)
    if (container.kind === 'quote') {
      if (!dropQuoteMark(cursor, indent)) return inside
    } else if (container.kind === 'item') {
      const started = container.children.length > 0 || open.leaf !== undefined || container !== innermost(open)
      if (indent >= container.width) dropIndent(cursor, container.width)
      else if (!started || !isBlank(restOf(cursor))) return inside
    }
    inside++
  }
  return inside
}

function dropQuoteMark(cursor: LineCursor, indent: number): boolean {
  if (indent > 3 || !trimStartSpaces(restOf(cursor)).startsWith('>')) return false
  dropIndent(cursor, indent)
  dropCharacters(cursor, 1)
  dropIndent(cursor, 1)
  return true
}

function readFenced(open: OpenBlocks, cursor: LineCursor): void {
  const { leaf } = open
  if (leaf?.kind !== 'fence') return
  const indent = indentAt(cursor)
  if (indent < 4 && closesFence(trimStartSpaces(restOf(cursor)), leaf.fence)) return closeLeaf(open)
  dropIndent(cursor, Math.min(indent, leaf.indent))
  leaf.text += (leaf.lines++ > 0 ? '\n' : '') + restOf(cursor)
}

function readBlank(open: OpenBlocks, inside: number): void {
  closeTo(open, inside)
  if (open.leaf?.kind === 'indented') open.leaf.blanks++
  else closeLeaf(open)
  for (const container of open.containers.toReversed()) {
    container.blank = true
    // A line with only the mark of a quote is blank inside of it, not around it.
    if (container.kind === 'quote') return
  }
}

function readBlocks(open: OpenBlocks, cursor: LineCursor, reached: number): void {
  let inside = reached
  for (;;) {
    const indent = indentAt(cursor)
    const text = trimStartSpaces(restOf(cursor))
    const continues = inside === open.containers.length
    if (text === '') return
    if (indent >= 4) return readIndented(open, cursor, inside)
    if (open.containers.length < MOST_CONTAINERS && text.startsWith('>')) {
      dropQuoteMark(cursor, indent)
      closeTo(open, inside)
      beginBlock(open)
      open.containers.push({ kind: 'quote', children: [], blank: false, memory: newMemory() })
      inside = open.containers.length
      continue
    }
    if (readWholeLine(open, text, indent, inside)) return
    const marker = open.containers.length < MOST_CONTAINERS ? markerIn(text) : undefined
    if (marker === undefined || (continues && isSentence(open, marker, text))) return readText(open, text, inside)
    closeTo(open, inside)
    openItem(open, marker, cursor, indent)
    inside = open.containers.length
  }
}

/** Inside of a paragraph only a list that has content and begins with one is a list, anything else a sentence. */
function isSentence(open: OpenBlocks, marker: Marker, text: string): boolean {
  return open.leaf?.kind === 'paragraph' && ((marker.start ?? 1) !== 1 || isBlank(text.slice(marker.width)))
}

function openItem(open: OpenBlocks, marker: Marker, cursor: LineCursor, indent: number): void {
  closeLeaf(open)
  const list = innermost(open)
  if (list.kind === 'list' && sameList(list.marker, marker)) {
    if (list.blank) list.loose = true
  } else {
    beginBlock(open)
    open.containers.push({ kind: 'list', marker, loose: false, children: [], blank: false, memory: newMemory() })
  }
  dropIndent(cursor, indent)
  dropCharacters(cursor, marker.width)
  const space = indentAt(cursor)
  const used = space > 4 || isBlank(restOf(cursor)) ? 1 : space
  dropIndent(cursor, used)
  const width = indent + marker.width + used
  open.containers.push({ kind: 'item', width, children: [], blank: false, memory: newMemory() })
}

function sameList(one: Marker, other: Marker): boolean {
  return one.char === other.char && (one.start === undefined) === (other.start === undefined)
}

/** Blocks that are told by one line: headings, rules, the beginning of a fence, the line under the head of a table. */
function readWholeLine(open: OpenBlocks, text: string, indent: number, inside: number): boolean {
  const heading = headingIn(text)
  if (heading !== undefined) {
    closeTo(open, inside)
    addBlock(open, { type: 'heading', level: heading.level, children: parseInlines(heading.text) })
    return true
  }
  const fence = fenceIn(text)
  if (fence !== undefined) {
    closeTo(open, inside)
    beginBlock(open)
    open.leaf = { kind: 'fence', fence, indent, lines: 0, text: '', memory: newMemory() }
    return true
  }
  if (inside === open.containers.length && readUnderParagraph(open, text)) return true
  if (!isRule(text)) return false
  closeTo(open, inside)
  addBlock(open, { type: 'rule' })
  return true
}

/** A line that makes a heading or the head of a table of the paragraph above it. */
function readUnderParagraph(open: OpenBlocks, text: string): boolean {
  const { leaf } = open
  if (leaf?.kind !== 'paragraph') return false
  const level = underlineIn(text)
  if (level !== undefined) {
    delete open.leaf
    addBlock(open, { type: 'heading', level, children: parseInlines(leaf.before + leaf.line) })
    return true
  }
  const align = alignmentsIn(text)
  if (align === undefined) return false
  const head = cellsIn(leaf.line)
  if (head.length !== align.length) return false
  delete open.leaf
  beginBlock(open)
  if (leaf.before !== '') addBlock(open, paragraphBlock(leaf.memory, leaf.before))
  open.leaf = { kind: 'table', align, head: cellInlines(head), rows: [], memory: newMemory() }
  return true
}

function readIndented(open: OpenBlocks, cursor: LineCursor, inside: number): void {
  const { leaf } = open
  if (leaf?.kind === 'paragraph') return readText(open, trimStartSpaces(restOf(cursor)), inside)
  dropIndent(cursor, 4)
  if (leaf?.kind === 'indented' && inside === open.containers.length) {
    leaf.text += '\n'.repeat(leaf.blanks + 1) + restOf(cursor)
    leaf.blanks = 0
    return
  }
  closeTo(open, inside)
  beginBlock(open)
  open.leaf = { kind: 'indented', text: restOf(cursor), blanks: 0, memory: newMemory() }
}

function readText(open: OpenBlocks, text: string, inside: number): void {
  const { leaf } = open
  // Also where the marks of the containers around it are missing: a paragraph goes on until something ends it.
  if (leaf?.kind === 'paragraph') {
    leaf.before += `${leaf.line}\n`
    leaf.line = text
    return
  }
  if (leaf?.kind === 'table' && inside === open.containers.length && text.includes('|')) {
    leaf.rows.push(cellInlines(cellsIn(text)))
    return
  }
  closeTo(open, inside)
  beginBlock(open)
  open.leaf = { kind: 'paragraph', before: '', line: text, memory: newMemory() }
}
