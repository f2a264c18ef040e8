/** The conversations there are. */
export function Sidebar() {
  return <p>Sessions</p>
}
