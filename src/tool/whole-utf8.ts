/** Bytes that were cut off somewhere, without the part of a character the cut may have left at their end. */
export function wholeUtf8(bytes: Uint8Array): Uint8Array {
  let lead = bytes.length - 1
  while (lead > bytes.length - 4 && isContinuation(bytes[lead])) lead -= 1
  return lead + sequenceLength(bytes[lead]) > bytes.length ? bytes.subarray(0, lead) : bytes
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}

function sequenceLength(lead: number | undefined): number {
  if (lead === undefined || lead < 0xc0) return 1
  if (lead < 0xe0) return 2
  return lead < 0xf0 ? 3 : 4
}
