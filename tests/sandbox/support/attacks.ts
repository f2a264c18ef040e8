import { type Attack, perl } from './attack.ts'
import { MODE_ATTACKS } from './mode-attacks.ts'

/** Refused means EPERM, EACCES, ENOSYS or EAFNOSUPPORT; any other answer came from behind the door. */
const REFUSED = '($! == 1 || $! == 13 || $! == 38 || $! == 97)'
const call = (number: number, args = '0, 0, 0, 0, 0'): string =>
  perl(`@a = (${args}); $r = syscall(${number}, @a); exit($r == -1 && ${REFUSED} ? 1 : 0)`)
const UNIX = 'use Socket; socket(S, 1, 1, 0)'
const anyOf = (attempts: readonly string[]): string => attempts.map((one) => `{ ${one}; }`).join(' || ')

const FOLDERS =
  '/ /usr /usr/bin /usr/local /usr/lib /etc /bin /lib /sbin /dev /proc /sys /root /home /var /run /opt /srv /mnt /boot'

export const ATTACKS: readonly Attack[] = [
  // files
  {
    title: 'write anywhere in the system',
    code: ({ outside, home }) =>
      `for p in ${FOLDERS} ${outside} ${home} .. ../outside; do touch $p/escaped && exit 0; done; exit 1`,
  },
  {
    title: 'change a program',
    code: () =>
      anyOf([
        'echo >>/usr/bin/true',
        'mv /usr/bin/true /usr/bin/gone',
        'rm -f /usr/bin/true',
        'chmod 777 /usr/bin',
        'touch /usr/bin/true',
      ]),
  },
  {
    title: 'change its own /etc',
    code: () => anyOf(['echo >>/etc/passwd', 'echo >/etc/ld.so.preload', 'rm /etc/hosts']),
  },
  { title: 'read /etc/shadow', code: () => 'grep -q . /etc/shadow', harmless: true },
  { title: 'read the home of root', code: () => 'ls /root', harmless: true },
  {
    title: 'read homes, keys, logs and sockets',
    code: () =>
      'for p in /home /var /run /opt /srv /sys /boot /etc/ssl/private /etc/ssh; do ls $p && exit 0; done; exit 1',
    harmless: true,
  },
  {
    title: 'learn which machine this is',
    code: ({ hostname }) => anyOf(['cat /etc/machine-id', 'cat /etc/hostname', `[ "$(uname -n)" = ${hostname} ]`]),
    harmless: true,
  },
  {
    title: 'read a file beside the workspace',
    code: ({ outside }) => anyOf([`cat ${outside}/secret.txt`, 'cat ../outside/secret.txt']),
    harmless: true,
  },
  {
    title: "read Segno's database",
    code: ({ home }) =>
      anyOf([
        `cat ${home}/segno.db`,
        'cat ../home/segno.db',
        'find / -maxdepth 4 -path /usr -prune -o -name segno.db -print | grep -q .',
      ]),
    harmless: true,
  },
  {
    title: 'follow a link out of the workspace',
    code: ({ outside }) => `ln -sfn ${outside} link; cat link/secret.txt`,
    harmless: true,
  },
  {
    title: 'hard-link a file of the system into the workspace',
    code: ({ outside }) =>
      anyOf(['ln /usr/bin/true linked', 'ln /etc/ld.so.cache linked', `ln ${outside}/secret.txt linked`]),
  },
  {
    title: 'find the old root below its mounts',
    code: () => '[ "$(cut -d" " -f5 /proc/self/mountinfo | grep -c -e ^/tmp -e ^/old)" -gt 1 ]',
  },
  { title: 'open a file by its handle', code: () => call(304, '-100, 0, 0') },

  // Segno and other processes
  { title: 'find secrets in its own environment', code: ({ canary }) => `env | grep -q ${canary}`, harmless: true },
  {
    title: 'find anything unexpected in its environment',
    code: () => "env -u OLDPWD | cut -d= -f1 | grep -vxE 'PATH|HOME|LANG|TERM|PWD|SHLVL|_'",
    harmless: true,
  },
  {
    title: 'read the environment of Segno',
    code: ({ segnoPid, canary }) => `grep -qa ${canary} /proc/${segnoPid}/environ`,
    harmless: true,
  },
  {
    title: 'find a secret in the environment of any process',
    code: ({ canary }) => `cat /proc/[0-9]*/environ | grep -qa ${canary}`,
    harmless: true,
  },
  {
    title: 'see the process of Segno',
    code: () => 'grep -lsa runner[.]ts /proc/[0-9]*/cmdline | grep -q .',
    harmless: true,
  },
  { title: 'see many processes', code: () => '[ "$(ls -d /proc/[0-9]* | wc -l)" -gt 15 ]', harmless: true },
  { title: 'signal Segno', code: ({ segnoPid }) => `kill -0 ${segnoPid}`, harmless: true },
  {
    title: 'kill or stop the first process',
    code: () =>
      'kill -9 1; kill -STOP 1; kill -TERM 1; kill -INT 1; kill -0 1; sleep 0.1; grep -q "^State:.*[TZ]" /proc/1/status',
  },
  { title: 'trace the first process', code: () => call(101, '16, 1, 0, 0') },
  {
    // Where it may, there is nothing to gain: that one can do no more than the command itself.
    title: 'take over a first process that can do more',
    code: () =>
      ': >>/proc/1/mem || exit 1; grep -E "^(CapPrm|CapBnd|NoNewPrivs|Seccomp):" /proc/1/status >/tmp/1; ' +
      'grep -E "^(CapPrm|CapBnd|NoNewPrivs|Seccomp):" /proc/self/status >/tmp/self; ! cmp /tmp/1 /tmp/self',
  },
  {
    title: 'reach the host through /proc/1',
    code: () =>
      anyOf([
        'ls /proc/1/root/root',
        'ls /proc/1/root/home',
        'ls /proc/1/cwd/../outside',
        'cat /proc/1/environ | grep -a SEGNO',
      ]),
  },
  {
    title: 'reach the host through the root of any process',
    code: ({ outside }) => `for p in /proc/[0-9]*; do cat $p/root${outside}/secret.txt && exit 0; done; exit 1`,
    harmless: true,
  },
  {
    title: 'find an open file of Segno',
    code: () => 'for f in /proc/$$/fd/*; do [ ${f##*/} -gt 2 ] && [ -L $f ] && exit 0; done; exit 1',
  },
  { title: 'read from somebody', code: () => '[ "$(head -c 1 | wc -c)" != 0 ]' },

  // network
  { title: 'connect to this machine', code: ({ tcpPort }) => `exec 3<>/dev/tcp/127.0.0.1/${tcpPort}`, harmless: true },
  { title: 'connect to another machine', code: () => 'timeout 2 bash -c "exec 3<>/dev/tcp/1.1.1.1/443"' },
  {
    title: 'ask a name server',
    code: () => anyOf(['timeout 2 getent hosts example.com', 'timeout 2 bash -c "exec 3<>/dev/tcp/9.9.9.9/53"']),
  },
  { title: 'have a network interface', code: () => 'grep -v -e "|" -e "^ *lo:" /proc/net/dev', harmless: true },
  {
    title: 'see the sockets of this machine',
    code: ({ tcpPort }) => `grep -qi ":$(printf %04X ${tcpPort}) " /proc/net/tcp`,
    harmless: true,
  },
  {
    title: 'connect to a socket file of this machine',
    code: ({ socket }) =>
      anyOf([`[ -S ${socket} ]`, perl(`${UNIX}; exit(connect(S, pack_sockaddr_un("${socket}")) ? 0 : 1)`)]),
    harmless: true,
  },
  {
    title: 'connect to a socket file in the workspace',
    code: () =>
      `[ -S daemon.sock ] || exit 99; ${perl(`${UNIX}; exit(connect(S, pack_sockaddr_un("daemon.sock")) ? 0 : 1)`)}`,
    harmless: true,
  },
  {
    title: 'send a datagram to a socket file in the workspace',
    code: () =>
      `[ -S datagrams.sock ] || exit 99; ${perl(
        'use Socket; $to = pack_sockaddr_un("datagrams.sock"); socket(S, 1, 2, 0); exit 0 if send(S, "x", 0, $to); ' +
          // the other half of a pair can be left alone, and the first sent elsewhere
          'for $type (2, 3) { socketpair(A, B, 1, $type, 0); exit 0 if send(A, "x", 0, $to) } exit 1',
      )}`,
    harmless: true,
  },
  {
    title: 'connect to an abstract socket of this machine',
    code: ({ abstractSocket }) =>
      anyOf([
        `grep -q "@${abstractSocket}" /proc/net/unix`,
        perl(`${UNIX}; exit(connect(S, pack("S a*", 1, "\\0${abstractSocket}")) ? 0 : 1)`),
      ]),
    harmless: true,
  },
  {
    title: 'talk to the hypervisor',
    code: () => perl(`exit(socket(S, 40, 1, 0) ? 0 : ${REFUSED} ? 1 : 0)`),
  },
  { title: 'use the crypto of the kernel', code: () => perl(`exit(socket(S, 38, 5, 0) ? 0 : ${REFUSED} ? 1 : 0)`) },
  {
    title: 'use raw sockets',
    code: () => anyOf([perl('exit(socket(S, 2, 3, 1) ? 0 : 1)'), perl('exit(socket(S, 17, 3, 768) ? 0 : 1)')]),
    harmless: true,
  },

  // privileges
  {
    title: 'have or gain a capability',
    code: () => 'grep -E "^Cap(Inh|Prm|Eff|Bnd|Amb):" /proc/self/status | grep -v "0000000000000000$"',
    harmless: true,
  },
  { title: 'gain privileges at exec', code: () => '! grep -q "^NoNewPrivs:.*1" /proc/self/status', harmless: true },
  {
    title: 'become root',
    code: () =>
      anyOf([
        perl('$> = 0; exit($> == 0 ? 0 : 1)'),
        perl('$< = 0; exit($< == 0 ? 0 : 1)'),
        perl('$) = "0 0"; exit($) eq "0 0" ? 0 : 1)'),
      ]),
    harmless: true,
  },
  {
    title: 'use programs that run as root',
    code: () =>
      anyOf([
        'timeout 2 su -c true',
        'timeout 2 sudo -n true',
        'timeout 2 newgrp root -c true',
        'timeout 2 mount -o remount,rw /',
      ]),
  },
  {
    title: 'gain a user by a setuid file planted in the workspace',
    code: () => '[ -x planted ] || exit 99; [ "$(./planted -u)" != 1000 ]',
    harmless: true,
  },
  ...MODE_ATTACKS,
  {
    title: 'mount',
    code: () =>
      anyOf([
        'mount -t tmpfs x /tmp',
        'mount --bind / /workspace',
        'mount -o remount,rw,bind /usr',
        'umount -l /usr',
        'umount -l /proc/sys',
        call(430, '"tmpfs", 0'),
        call(428, '-100, "/", 1'),
        call(165, '"x", "/tmp", "tmpfs", 0, 0'),
      ]),
  },
  {
    title: 'change its root',
    code: () => anyOf(['/usr/sbin/chroot /workspace /bin/true', '/usr/sbin/pivot_root . .', call(161, '"/tmp"')]),
  },
  {
    title: 'make namespaces',
    code: () =>
      anyOf([
        'unshare -U true',
        'unshare -Ur true',
        'unshare -m true',
        'unshare -n true',
        perl('exit(syscall(56, 0x10000011, 0, 0, 0, 0) >= 0 ? 0 : 1)'),
      ]),
    harmless: true,
  },
  {
    title: 'enter other namespaces',
    code: ({ segnoPid }) =>
      anyOf(['nsenter -t 1 -m true', 'nsenter -t 1 -U true', 'nsenter -t 1 -n true', `nsenter -t ${segnoPid} -n true`]),
    harmless: true,
  },
  {
    title: 'make devices',
    code: () => anyOf(['mknod /workspace/m c 1 1', 'mknod /tmp/m c 1 1', 'mknod /tmp/b b 8 0', 'mknod /dev/m c 1 5']),
  },
  {
    title: 'find devices',
    code: () => 'ls /dev | grep -vxE "null|zero|full|random|urandom|fd|stdin|stdout|stderr|shm"',
    harmless: true,
  },
  {
    title: 'have a terminal',
    code: () => anyOf([': </dev/tty', ': </dev/ptmx', 'tty -s', perl('exit(ioctl(STDIN, 0x5412, $x = "x") ? 0 : 1)')]),
  },
  {
    title: 'change settings of the kernel',
    code: () =>
      'for p in kernel/core_pattern kernel/hostname kernel/modprobe kernel/randomize_va_space vm/overcommit_memory vm/drop_caches user/max_user_namespaces kernel/shmall net/ipv4/ip_forward fs/suid_dumpable; do echo 1 >/proc/sys/$p && exit 0; done; exit 1',
  },
  {
    title: 'press the magic keys',
    code: () => anyOf(['echo h >/proc/sysrq-trigger', 'echo 1 >/proc/sys/kernel/sysrq']),
  },
  {
    title: 'read the memory of the machine',
    code: () =>
      anyOf([
        'head -c 1 /proc/kcore | grep -qa .',
        'head -c 1 /dev/mem',
        'head -c 1 /dev/kmem',
        'timeout 1 head -c 1 /proc/kmsg',
      ]),
  },
  { title: 'read the log of the kernel', code: () => anyOf(['dmesg', call(103, '10, 0, 0')]), harmless: true },
  {
    title: 'rewrite who it is',
    code: () =>
      anyOf([
        'echo "0 0 1" >/proc/self/uid_map',
        'echo deny >/proc/self/setgroups',
        'echo "0 0 1" >/proc/self/gid_map',
      ]),
  },
  {
    title: 'raise its limits',
    code: () =>
      anyOf([
        'ulimit -u 100000',
        'ulimit -d unlimited',
        'ulimit -f unlimited',
        'ulimit -n 100000',
        'prlimit --nproc=100000 true',
        'nice -n -20 true 2>&1 | grep -qv cannot',
        'renice -n -10 $$',
      ]),
  },
  {
    title: 'use the keys of the kernel',
    code: () => anyOf([call(250, '0, -3, 0'), call(248, '"user", "k", "v", 1, -3'), call(249, '"user", "k", 0, 0')]),
    harmless: true,
  },
  {
    title: 'load programs into the kernel',
    code: () =>
      anyOf([
        call(321, '0, 0, 0'),
        call(298, '0, 0, -1, -1, 0'),
        call(175, '0, 0, 0'),
        call(313, '0, 0, 0'),
        call(246, '0, 0, 0, 0'),
      ]),
  },
  {
    title: 'use ways into the kernel that commands do not need',
    code: () => anyOf([call(323, '0'), call(425, '1, 0'), call(427, '0, 0, 0, 0')]),
    harmless: true,
  },
  {
    title: 'change the clock, the name or the swap of the machine',
    code: () =>
      anyOf(['date -s @1', 'hostname escaped', call(167, '"/tmp/x", 0'), call(163, '"/tmp/x"'), call(172, '3')]),
  },
  { title: 'restart the machine', code: () => call(169, '0xfee1dead, 672274793, 0, 0') },
]
