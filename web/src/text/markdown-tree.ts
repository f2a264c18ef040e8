/** What parse-markdown.ts makes of a text. Strings are as written: whoever shows them calls `visible` on them. */
export type Block = Paragraph | Heading | Code | Rule | Quote | List | Item | Table

type Paragraph = { type: 'paragraph'; children: Inline[] }
type Heading = { type: 'heading'; level: number; children: Inline[] }
/** `info` is what stands behind the opening fence, usually a language. */
export type Code = { type: 'code'; info: string; text: string }
type Rule = { type: 'rule' }
type Quote = { type: 'quote'; children: Block[] }
/** `start` is the first number of an ordered list. In a loose list the items stand apart like paragraphs. */
type List = { type: 'list'; start?: number; loose: boolean; children: Block[] }
/** `done` is there in task lists only. */
type Item = { type: 'item'; done?: boolean; children: Block[] }
export type Align = 'left' | 'center' | 'right' | undefined
export type Row = Inline[][]
type Table = { type: 'table'; align: Align[]; head: Row; rows: Row[] }

export type Inline = Text | CodeSpan | Styled | Link | Image | Break

type Text = { type: 'text'; text: string }
type CodeSpan = { type: 'code-span'; text: string }
export type Styled = { type: 'em' | 'strong' | 'strike'; children: Inline[] }
/** `target` is whatever stood there; safe-link.ts decides whether it may become a link. */
export type Link = { type: 'link'; target: string; title: string; children: Inline[] }
export type Image = { type: 'image'; target: string; title: string; alt: string }
type Break = { type: 'break' }

/** The words of some inlines, without their styles. */
export function plainText(inlines: Inline[]): string {
  return inlines
    .map((one) => {
      switch (one.type) {
        case 'text':
        case 'code-span':
          return one.text
        case 'em':
        case 'strong':
        case 'strike':
        case 'link':
          return plainText(one.children)
        case 'image':
          return one.alt
        case 'break':
          return '\n'
      }
    })
    .join('')
}
