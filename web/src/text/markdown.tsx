import { memo, useContext, useMemo, type ReactNode } from 'react'
import { Cite, CitingContext } from './cite.tsx'
import { CodeBlock } from './code-block.tsx'
import { plainText, type Align, type Block, type Image, type Inline, type Link, type Row } from './markdown-tree.ts'
import { parseMarkdown } from './parse-markdown.ts'
import { misleads, safeLink } from './safe-link.ts'
import { visibleText } from './visible.ts'
import { VisibleText } from './visible-text.tsx'
import { withCitations, type Shown } from './with-citations.ts'

/** A text of markdown that nobody vouches for. Nothing in it loads, runs or hides. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  const blocks = useMemo(() => parseMarkdown(text), [text])
  return <StreamingMarkdown blocks={blocks} />
})

/** The same for a text that is still coming: what `append` of a markdown stream gave last. */
export function StreamingMarkdown({ blocks }: { blocks: Block[] }) {
  return (
    <div className="md">
      <Blocks blocks={blocks} />
    </div>
  )
}

/** Of a list everything has the direction of the list, so that its marks stand on one side. */
type Within = 'text' | 'list' | 'tight list'

function Blocks({ blocks, within = 'text' }: { blocks: Block[]; within?: Within }) {
  return blocks.map((block, at) => <OneBlock key={at} block={block} within={within} />)
}

// Blocks that did not change are the same objects, so while a text grows only the end of it is drawn again.
const OneBlock = memo(function OneBlock({ block, within }: { block: Block; within: Within }): ReactNode {
  switch (block.type) {
    case 'paragraph':
      return within === 'tight list' ? (
        <span className="md-line">
          <Inlines inlines={block.children} />
        </span>
      ) : (
        <p dir={within === 'text' ? 'auto' : undefined}>
          <Inlines inlines={block.children} />
        </p>
      )
    case 'heading': {
      const Tag = HEADINGS[block.level - 1] ?? 'h6'
      return (
        <Tag dir="auto">
          <Inlines inlines={block.children} />
        </Tag>
      )
    }
    case 'code':
      return <CodeBlock block={block} />
    case 'rule':
      return <hr />
    case 'quote':
      return (
        <blockquote>
          <Blocks blocks={block.children} />
        </blockquote>
      )
    case 'list': {
      const items = <Blocks blocks={block.children} within={block.loose ? 'list' : 'tight list'} />
      return block.start === undefined ? (
        <ul dir="auto">{items}</ul>
      ) : (
        <ol dir="auto" start={block.start}>
          {items}
        </ol>
      )
    }
    case 'item':
      return (
        <li className={block.done === undefined ? undefined : 'md-task'}>
          {block.done !== undefined && <Box done={block.done} />}
          <Blocks blocks={block.children} within={within} />
        </li>
      )
    case 'table':
      return (
        <div className="md-table" tabIndex={0} role="group" aria-label="Table">
          <table>
            <thead>
              <TableRow row={block.head} align={block.align} head />
            </thead>
            <tbody>
              {block.rows.map((row, at) => (
                <TableRow key={at} row={row} align={block.align} />
              ))}
            </tbody>
          </table>
        </div>
      )
  }
})

// The page has a heading above each conversation, so those inside begin at the third level.
const HEADINGS = ['h3', 'h4', 'h5', 'h6'] as const

function Box({ done }: { done: boolean }) {
  return (
    <span className="md-box" role="img" aria-label={done ? 'done' : 'not done'}>
      {done ? '☑' : '☐'}
    </span>
  )
}

const TableRow = memo(function TableRow({ row, align, head = false }: { row: Row; align: Align[]; head?: boolean }) {
  const Cell = head ? 'th' : 'td'
  return (
    <tr>
      {row.map((cell, at) => (
        <Cell key={at} dir="auto" className={align[at] && `md-${align[at]}`}>
          <Inlines inlines={cell} />
        </Cell>
      ))}
    </tr>
  )
})

function Inlines({ inlines, inLink = false }: { inlines: Inline[]; inLink?: boolean }) {
  const citing = useContext(CitingContext)
  const shown: readonly Shown[] = citing && !inLink ? withCitations(inlines, citing.labels) : inlines
  return shown.map((one, at) => <OneInline key={at} one={one} inLink={inLink} />)
}

function OneInline({ one, inLink }: { one: Shown; inLink: boolean }): ReactNode {
  switch (one.type) {
    case 'text':
      return <VisibleText text={one.text} spaces="prose" />
    case 'code-span':
      return <VisibleText as="code" text={one.text} />
    case 'em':
    case 'strong':
    case 'strike': {
      const Tag = one.type === 'strike' ? 'del' : one.type
      return (
        <Tag>
          <Inlines inlines={one.children} inLink={inLink} />
        </Tag>
      )
    }
    case 'link':
      return <OneLink link={one} />
    case 'image':
      return <ImageChip image={one} inLink={inLink} />
    case 'break':
      return <br />
    case 'cite':
      return <Cite label={one.label} />
  }
}

function OneLink({ link }: { link: Link }) {
  const safe = safeLink(link.target)
  const text = plainText(link.children)
  const words = text === '' ? <VisibleText text={link.target} /> : <Inlines inlines={link.children} inLink />
  if (safe === undefined) {
    return (
      <>
        {words}
        {text !== '' && text !== link.target && <Aside text={[link.target, link.title].join(' ').trim()} />}
      </>
    )
  }
  return (
    <>
      <Anchor href={safe.href} title={link.title}>
        {words}
      </Anchor>
      {misleads(text, safe) && <Aside text={safe.place} misleads />}
    </>
  )
}

function Anchor({ href, title, children }: { href: string; title: string; children: ReactNode }) {
  const hint = title === '' ? href : `${visibleText(title)} – ${href}`
  return (
    <a href={href} title={hint} rel="noopener noreferrer nofollow" target="_blank">
      {children}
    </a>
  )
}

/** Where a link or an image points to, said next to it. */
function Aside({ text, misleads = false }: { text: string; misleads?: boolean }) {
  return (
    <span className={misleads ? 'md-aside md-misleads' : 'md-aside'}>
      {' ('}
      <VisibleText as="bdi" text={text} />
      {')'}
    </span>
  )
}

const LONGEST_SOURCE = 80

/** Images never load by themselves: the reader sees that there is one and where it is, and may open it. */
function ImageChip({ image, inLink }: { image: Image; inLink: boolean }) {
  const safe = safeLink(image.target)
  const { target } = image
  const source = target.length > LONGEST_SOURCE ? `${target.slice(0, LONGEST_SOURCE)}…` : target
  const alt = <VisibleText text={[image.alt, safe === undefined ? image.title : ''].join(' ').trim()} spaces="prose" />
  return (
    <span className="md-image" title={visibleText(source)}>
      {'image: '}
      {safe === undefined || inLink ? (
        alt
      ) : (
        <Anchor href={safe.href} title={image.title}>
          {image.alt === '' ? 'open' : alt}
        </Anchor>
      )}
      {/* Inside of a link it would look like the place where the link leads. */}
      {!inLink && <Aside text={safe?.place ?? source} />}
    </span>
  )
}
