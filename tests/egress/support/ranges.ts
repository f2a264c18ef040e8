/** Written from the special-purpose registries of IANA, not from the library that the code uses. */
export const FORBIDDEN_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '255.255.255.255/32',
  '168.63.129.16/32',
] as const

export const FORBIDDEN_V6 = [
  '::/128',
  '::1/128',
  '::/96',
  '::ffff:0:0/96',
  '::ffff:0:0:0/96',
  '64:ff9b:1::/48',
  '100::/64',
  '100:0:0:1::/64',
  '2001::/32',
  '2001:2::/48',
  '2001:10::/28',
  '2001:20::/28',
  '2001:30::/28',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '4000::/3',
  '5f00::/16',
  '8000::/1',
  'fc00::/7',
  'fd00:ec2::254/128',
  'fd20:ce::254/128',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
] as const

/** Neighbours of forbidden ranges and well-known servers. */
export const PUBLIC_V4 = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '93.184.216.34',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '140.82.121.4',
  '168.63.129.15',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.0.3.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '198.51.99.255',
  '203.0.112.255',
  '203.0.114.0',
  '223.255.255.255',
] as const

export const PUBLIC_V6 = [
  '2001:200::1',
  '2001:4860:4860::8888',
  '2003::1',
  '2400:cb00:2048:1::c629:d7a2',
  '2606:4700:4700::1111',
  '2620:fe::fe',
  '2a00:1450:4001:81b::200e',
  '2c0f:fb50::1',
  '64:ff9b::808:808',
] as const

export type Bytes = readonly number[]

/** An address of a range: its first, its last or one between, as bytes. `random` gives whole numbers below its argument. */
export function within(cidr: string, which: 'first' | 'last' | 'random', random: (below: number) => number): Bytes {
  const [address = '', length = ''] = cidr.split('/')
  const base = address.includes(':') ? v6Bytes(address) : address.split('.').map(Number)
  return base.map((byte, i) => {
    const fixed = Math.min(8, Math.max(0, Number(length) - i * 8))
    const free = 2 ** (8 - fixed)
    const filled = which === 'first' ? 0 : which === 'last' ? free - 1 : random(free)
    return byte + filled
  })
}

export function v6Bytes(address: string): Bytes {
  const [head = '', tail] = address.split('::')
  const groups = (text = ''): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
  const [before, after] = [groups(head), groups(tail)]
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0)
  return [...before, ...(tail === undefined ? [] : zeros), ...after].flatMap((group) => [group >> 8, group & 255])
}
