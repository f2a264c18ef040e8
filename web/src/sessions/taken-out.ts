/** What is missing from a text after it was cleaned. Other spaces, line ends and forms of letters count as the same. */
export function takenOut(before: string, after: string): string {
  const rest = Array.from(after)
  let at = 0
  let missing = ''
  for (const letter of even(before)) {
    if (letter === rest[at]) at += 1
    else missing += letter
  }
  return missing
}

const even = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/\p{Zs}/gu, ' ')
    .normalize('NFC')
    .trim()
