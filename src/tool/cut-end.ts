/** Where to cut a text so that at most `chars` remain and no surrogate pair is split. */
export function cutEnd(text: string, chars: number): number {
  if (text.length <= chars) return text.length
  const last = text.charCodeAt(chars - 1)
  return last >= 0xd800 && last <= 0xdbff ? chars - 1 : chars
}
