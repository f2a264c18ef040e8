/** What an attack may know of the machine; more than a model would. */
export interface Facts {
  readonly folder: string
  readonly outside: string
  readonly home: string
  readonly segnoPid: number
  readonly canary: string
  readonly tcpPort: number
  readonly udpPort: number
  readonly socket: string
  readonly abstractSocket: string
  readonly hostname: string
}

export interface Attack {
  /** what it tries, after "cannot" */
  readonly title: string
  /** ends with 0 when it got through, with 99 when it could not be tried, else with anything */
  readonly code: (facts: Facts) => string
  /** does no harm when it gets through, so it is tried without a sandbox too, where it must */
  readonly harmless?: true
}

export const perl = (code: string): string => `command -v perl >/dev/null || exit 99; perl -e '${code}'`

/** All of them as one command; a line for each: its number, how it ended, the start of what it said. */
export function asCommand<Known>(attacks: readonly { code(facts: Known): string }[], facts: Known): string {
  const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
  return attacks
    .map(
      ({ code }, index) =>
        // The shell itself complains of zero bytes.
        `{ said=$(timeout 8 bash -c ${quote(code(facts))} 2>&1); code=$?; } 2>/dev/null; ` +
        `said=\${said//$'\\n'/ }; echo "${index} $code \${said:0:200}"`,
    )
    .join('\n')
}
