import type { Bytes } from './ranges.ts'

/** Ways to write one IPv4 address as the host of a URL. A browser reads all of them alike. */
export const V4_NOTATIONS: Readonly<Record<string, (bytes: Bytes) => string>> = {
  dotted: (b) => b.join('.'),
  decimal: (b) => String(whole(b)),
  hex: (b) => `0x${whole(b).toString(16)}`,
  'upper hex': (b) => `0X${whole(b).toString(16).toUpperCase()}`,
  octal: (b) => `0${whole(b).toString(8)}`,
  'long octal': (b) => `0000000${whole(b).toString(8)}`,
  'dotted hex': (b) => b.map((byte) => `0x${byte.toString(16)}`).join('.'),
  'dotted octal': (b) => b.map((byte) => `0${byte.toString(8)}`).join('.'),
  'padded octal': (b) => b.map((byte) => byte.toString(8).padStart(4, '0')).join('.'),
  mixed: ([a = 0, b = 0, c = 0, d = 0]) => `0x${a.toString(16)}.0${b.toString(8)}.${c}.0x${d.toString(16)}`,
  'two parts': ([a = 0, ...rest]) => `${a}.${whole(rest)}`,
  'two parts, hex': ([a = 0, ...rest]) => `0x${a.toString(16)}.0x${whole(rest).toString(16)}`,
  'three parts': ([a = 0, b = 0, ...rest]) => `${a}.${b}.${whole(rest)}`,
  'three parts, octal': ([a = 0, b = 0, ...rest]) => `0${a.toString(8)}.0${b.toString(8)}.0${whole(rest).toString(8)}`,
  'trailing dot': (b) => `${b.join('.')}.`,
  'full-width digits': (b) => wide(b.join('.')),
  'ideographic dots': (b) => b.join('。'),
  'half-width dots': (b) => b.join('｡'),
  'full-width dots': (b) => b.join('．'),
  'circled digits': (b) => b.join('.').replaceAll(/[1-9]/g, (digit) => String.fromCodePoint(0x245f + Number(digit))),
  'mathematical digits': (b) => b.join('.').replaceAll(/\d/g, (digit) => String.fromCodePoint(0x1d7ce + Number(digit))),
  'percent-encoded': (b) => `%${Buffer.from(b.join('.')).toString('hex').match(/../g)?.join('%')}`,
  'percent-encoded dots': (b) => b.join('%2e'),
  'percent-encoded full-width': (b) => encodeURIComponent(wide(b.join('.'))),
  'a tab within': (b) => b.join('\t.'),
  'a newline within': (b) => b.join('.\n'),
  'a soft hyphen within': (b) => b.join('.\u00AD'),
  'a zero-width space within': (b) => b.join('\u200B.'),
}

/** Ways to hide an IPv4 address in an IPv6 one. */
export const V4_IN_V6: Readonly<Record<string, (bytes: Bytes) => string>> = {
  mapped: (b) => `::ffff:${b.join('.')}`,
  'mapped, in hex': (b) => `::ffff:${groups(b).join(':')}`,
  'mapped, in full': (b) => `0000:0000:0000:0000:0000:FFFF:${groups(b).join(':')}`,
  compatible: (b) => `::${b.join('.')}`,
  'compatible, in hex': (b) => `0:0:0:0:0:0:${groups(b).join(':')}`,
  NAT64: (b) => `64:ff9b::${b.join('.')}`,
  'NAT64, in hex': (b) => `64:ff9b::${groups(b).join(':')}`,
  'NAT64, in full': (b) => `0064:FF9B:0000:0000:0000:0000:${groups(b).join(':')}`,
  'local NAT64': (b) => `64:ff9b:1::${b.join('.')}`,
  'NAT64 of 48 bits': (b) => `64:ff9b:1:${groups(b)[0]}:${groups([0, b[2] ?? 0])[0]}:${groups([b[3] ?? 0, 0])[0]}::`,
  translated: (b) => `::ffff:0:${b.join('.')}`,
  '6to4': (b) => `2002:${groups(b).join(':')}::1`,
  Teredo: (b) => `2001:0:4136:e378:8000:63bf:${groups(b.map((byte) => 255 - byte)).join(':')}`,
  'Teredo server': (b) => `2001:0:${groups(b).join(':')}:0:0:0:1`,
  ISATAP: (b) => `fe80::5efe:${b.join('.')}`,
}

/** Ways to write one IPv6 address. */
export const V6_NOTATIONS: Readonly<Record<string, (bytes: Bytes) => string>> = {
  groups: (b) => groups(b).join(':'),
  full: (b) =>
    groups(b)
      .map((group) => group.padStart(4, '0'))
      .join(':'),
  'upper case': (b) => groups(b).join(':').toUpperCase(),
  'dotted end': (b) => `${groups(b.slice(0, 12)).join(':')}:${b.slice(12).join('.')}`,
}

const whole = (bytes: Bytes): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0)

function groups(bytes: Bytes): string[] {
  return bytes.flatMap((byte, i) => (i % 2 === 0 ? [(byte * 256 + (bytes[i + 1] ?? 0)).toString(16)] : []))
}

const wide = (text: string): string => text.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))
