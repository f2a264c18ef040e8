import { deflateSync } from 'node:zlib'
import { packedBomb } from './make-zip.ts'

/** A PDF with one text on each page; a page without a text shows nothing. */
export function makePdf(pages: readonly string[]): Buffer {
  return assemble(pages.map((text) => deflateSync(text === '' ? '' : `BT /F1 12 Tf 72 700 Td (${text}) Tj ET`)))
}

/** A PDF of one page whose content unpacks to so many megabytes. */
export const makePdfBomb = (megabytes: number): Buffer =>
  assemble([Buffer.concat([Buffer.from('789c', 'hex'), packedBomb(megabytes)])])

/** A PDF that opens with a password only. */
export function makeEncryptedPdf(): Buffer {
  const key = '41'.repeat(32)
  return assemble(
    [deflateSync('BT ET')],
    `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${key}> /U <${key}> /P -4 >> /ID [<${key}> <${key}>]`,
  )
}

function assemble(contents: readonly Buffer[], trailer = ''): Buffer {
  const pageNumber = (at: number): number => 4 + at * 2
  const objects: Buffer[] = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from(
      `<< /Type /Pages /Count ${contents.length} /Kids [${contents.map((_, at) => `${pageNumber(at)} 0 R`).join(' ')}] >>`,
    ),
    Buffer.from('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'),
    ...contents.flatMap((content, at) => [
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${pageNumber(at) + 1} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      ),
      Buffer.concat([
        Buffer.from(`<< /Filter /FlateDecode /Length ${content.length} >>\nstream\n`),
        content,
        Buffer.from('\nendstream'),
      ]),
    ]),
  ]
  const parts = [Buffer.from('%PDF-1.4\n')]
  let offset = 9
  const offsets = objects.map((object, at) => {
    const part = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')])
    parts.push(part)
    offset += part.length
    return offset - part.length
  })
  const table = offsets.map((one) => `${String(one).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${offset}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(parts)
}
