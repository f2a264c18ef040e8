/** For who runs Segno for others. */
export function Operator({ tab }: { tab: string }) {
  return <p>{tab}</p>
}
