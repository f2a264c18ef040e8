import { withoutMarkers } from './between-markers.ts'

const LINE_ENDS = /\r\n|[\r\p{Zl}\p{Zp}]/gu
const SPACES = /\p{Zs}/gu
/** Controls, direction marks, zero-width and unassigned code points, and some blank ones by number. */
const INVISIBLE =
  /(?![\t\n])[\p{C}\p{Default_Ignorable_Code_Point}\u2800\u2d7f\ufffc\u{1107f}\u{13441}\u{13442}\u{16fe4}\u{1d159}]/gu

/**
 * What a person tells every assistant, as everybody can see it: nothing invisible, nothing that changes where text is
 * shown, and nothing that looks like the markers it is sent between. Empty if nothing visible is left.
 */
export function cleanInstructions(text: string): string {
  const visible = text.replace(LINE_ENDS, '\n').replace(SPACES, ' ').replace(INVISIBLE, '')
  return withoutMarkers(visible.normalize('NFC')).trim()
}
