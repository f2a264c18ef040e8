import { type Attack, perl } from './attack.ts'

/** A file that runs as its owner or its group, made in some way; x64 has the numbers of all of them. */
const modeAttack = (way: string, code: string): Attack => ({
  title: `make a file that runs as its owner or its group with ${way}`,
  code: () => perl(`umask 0; $p = "owned"; unlink $p; ${code}; exit(-u $p || -g $p ? 0 : 1)`),
  harmless: true,
})
const MAKE = 'open(F, ">", $p)'
/** O_TMPFILE; it gets its name by linkat */
const nameless = (open: string): string =>
  `$dot = "."; $fd = syscall(${open}, 020200002, 06755); $at = "/proc/self/fd/$fd"; syscall(265, -100, $at, -100, $p, 0x400)`

export const MODE_ATTACKS: readonly Attack[] = [
  modeAttack('install', 'system("install -m 6755 /usr/bin/id owned")'),
  modeAttack('chmod u+s', `${MAKE}; system("chmod u+s owned")`),
  modeAttack('chmod g+s', `${MAKE}; system("chmod g+s owned")`),
  modeAttack('cp', 'system("cp --preserve=mode planted owned")'),
  modeAttack('tar', 'system("tar c --transform s/planted/owned/ planted | tar xp")'),
  modeAttack('the call chmod', `${MAKE}; syscall(90, $p, 06755)`),
  modeAttack('fchmod', `${MAKE}; syscall(91, fileno(F), 06755)`),
  // Older kernels do not have the second.
  modeAttack('fchmodat', `${MAKE}; syscall(268, -100, $p, 06755); syscall(452, -100, $p, 06755, 0)`),
  modeAttack('open', 'syscall(2, $p, 0102, 06755)'),
  modeAttack('openat', 'syscall(257, -100, $p, 0102, 06755)'),
  modeAttack('openat2', '$how = pack("Q3", 0102, 06755, 0); syscall(437, -100, $p, $how, 24)'),
  modeAttack('creat', 'syscall(85, $p, 06755)'),
  modeAttack('mknod', 'syscall(133, $p, 0106755, 0)'),
  modeAttack('mknodat', 'syscall(259, -100, $p, 0106755, 0)'),
  modeAttack('open, of a file without a name', nameless('2, $dot')),
  modeAttack('openat, of a file without a name', nameless('257, -100, $dot')),
  {
    // The kernel itself refuses this to everybody, so there is nothing to see without a sandbox.
    title: 'make a folder that gives its group to what is in it',
    code: () =>
      perl(
        '($a, $b) = ("grouped", "too"); syscall(83, $a, 07777); syscall(258, -100, $b, 07777); ' +
          'exit(-d $a && -d $b ? (-u $a || -g $a || -u $b || -g $b ? 0 : 1) : 99)',
      ),
  },
]
