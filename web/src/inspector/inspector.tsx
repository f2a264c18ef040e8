/** How the conversation beside it came about. */
export function Inspector() {
  return <p>Inspector</p>
}
