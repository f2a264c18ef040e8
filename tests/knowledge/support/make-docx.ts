import { type Entry, entry, makeZip } from './make-zip.ts'

const TYPES = entry(
  '[Content_Types].xml',
  `<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
)
const RELATIONS = entry(
  '_rels/.rels',
  `<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
)
const STYLES = entry(
  'word/styles.xml',
  `<?xml version="1.0"?><w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${[1, 2]
    .map((n) => `<w:style w:type="paragraph" w:styleId="Heading${n}"><w:name w:val="heading ${n}"/></w:style>`)
    .join('')}</w:styles>`,
)

/** A DOCX of paragraphs; `# ` and `## ` at the start make headings. */
export function makeDocx(paragraphs: readonly string[], more: readonly Entry[] = [], flags = 0): Buffer {
  const body = paragraphs.map((text) => {
    const level = text.startsWith('## ') ? 2 : text.startsWith('# ') ? 1 : 0
    const style = level === 0 ? '' : `<w:pPr><w:pStyle w:val="Heading${level}"/></w:pPr>`
    const words = level === 0 ? text : text.slice(level + 1)
    return `<w:p>${style}<w:r><w:t>${words}</w:t></w:r></w:p>`
  })
  const document = `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body.join('')}</w:body></w:document>`
  return makeZip([TYPES, RELATIONS, STYLES, entry('word/document.xml', document), ...more], flags)
}

/** A DOCX whose document is this entry. */
export const makeDocxWith = (document: Entry): Buffer => makeZip([TYPES, RELATIONS, STYLES, document])
