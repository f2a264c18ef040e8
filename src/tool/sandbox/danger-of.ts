/** Commands that a person decides on every single time: a word for the reason, and how to know one. */
const DANGERS: readonly (readonly [reason: string, pattern: RegExp])[] = [
  [
    'deletes a lot',
    /\brm\s+(?=.*\s?-\w*[rR]|.*--recursive).*(?:\s|=|["'])(?:[/~.*]|\.\.|\$\{?\w+\}?|\/workspace|\.git)["']?\/?\*?(?:\s|$|["';&|)])/,
  ],
  ['deletes a lot', /\bfind\b.*\s-(?:delete|exec(?:dir)?\s+(?:\S*\/)?(?:rm|shred|unlink))\b/],
  [
    'overwrites a disk',
    /\b(?:dd\b.*\bof=|mkfs\b|mkfs\.|wipefs|fdisk|sfdisk|parted|blkdiscard)|>\s*\/dev\/(?!null|std|fd\/|tty|tcp\/|udp\/)/,
  ],
  ['destroys files', /\b(?:shred|truncate\s+(?:-s|--size)[ =]?0)\b/],
  ['fork bomb', /([\w:.]+)\s*\(\)\s*\{[^}]*\1\s*\|\s*\1\s*&/],
  [
    'runs what it fetches',
    /\b(?:curl|wget|fetch|nc|ncat)\b[^;&]*\|\s*(?:sudo\s+|env\s+)*(?:\S*\/)?(?:\w*sh|python\d?|perl|node|ruby)\b/,
  ],
  [
    'runs what it fetches',
    /(?:\beval\b|\bsource\b|(?:^|[\s;&|])\.|\b\w*sh)\s+(?:-\w+\s+)?["']?(?:<\(|\$\(|`)\s*(?:curl|wget)\b/,
  ],
  [
    'runs what it hides',
    /\b(?:base64\s+(?:-d|-D|--decode)|xxd\s+-\w*r|openssl\s+enc)\b[^;&]*\|\s*(?:\S*\/)?(?:\w*sh|python\d?|perl|node)\b/,
  ],
  ['opens files to everybody', /\bchmod\b.*(?:\b[0-7]?777\b|\b[2467][0-7]{3}\b|[ugoa]*\+[rwx]*s|a\+\w*w|o\+\w*w)/],
  ['changes whole trees', /\b(?:chmod|chown|chgrp)\s+(?:-\w*R|.*--recursive)/],
  [
    'rewrites history of git',
    /\bgit\b.*\b(?:push\b.*\s(?:-\w*f\w*|--force\S*|--mirror|--delete|-d|\+\S+)|filter-branch|filter-repo|reflog\s+expire)/,
  ],
  [
    'throws work away',
    /\bgit\b.*\b(?:reset\s+--hard|clean\s+-\w*[fdx]|checkout\s+(?:-f|--force|--\s+\.|\.)|branch\s+-D|stash\s+(?:drop|clear))/,
  ],
  [
    'stops the machine',
    /\b(?:shutdown|reboot|halt|poweroff|telinit|init\s+[06]|systemctl\s+(?:poweroff|reboot|halt|stop|kill))\b/,
  ],
  ['kills processes', /\b(?:killall|pkill|kill\s+(?:-\w+\s+)*(?:--\s+)?-1)\b/],
  ['wants other rights', /(?:^|[\s;&|(`])(?:\S*\/)?(?:sudo|su|doas|pkexec|setpriv|runuser)(?=\s|$)/],
  [
    'tampers with the sandbox',
    /(?:^|[\s;&|(`])(?:\S*\/)?(?:unshare|nsenter|chroot|pivot_root|mount|umount|bwrap|docker|podman|mknod|insmod|modprobe)(?=\s|$)/,
  ],
  ['hides its traces', /\bhistory\s+-\w*[cdw]|\bHISTFILE\b|\bunset\s+HIST|\bset\s+\+o\s+history|\bshopt\b.*\bhist/],
  [
    'changes how programs start',
    /\b(?:LD_PRELOAD|LD_LIBRARY_PATH|BASH_ENV|PROMPT_COMMAND|NODE_OPTIONS|PYTHONSTARTUP|GIT_SSH_COMMAND|PERL5OPT)\s*=|\bexport\s+PATH=/,
  ],
  [
    'stays behind',
    /\.(?:bashrc|bash_profile|profile|zshrc|ssh\/|git\/hooks|git\/config|gitconfig|npmrc|netrc)|\bcrontab\b|\bat\s+now\b|\bgit\s+config\b.*(?:hooksPath|alias|fsmonitor|sshCommand|pager|editor)/,
  ],
  ['sends data out', /\/dev\/(?:tcp|udp)\/|\b(?:scp|sftp|rsync)\b.*\S+:|\b(?:nc|ncat|socat|telnet)\s/],
]

/** Why a command is dangerous, undefined when nothing says so. It is a help for people; what holds is the sandbox. */
export function dangerOf(command: string): string | undefined {
  // Quotes and backslashes inside a word change nothing for a shell: r\m and "rm" are rm. Joined lines are one line.
  const spellings = [command, command.replaceAll(/\\\n/g, ''), command.replaceAll(/\\\n|["'\\]/g, '')]
  return DANGERS.find(([, pattern]) => spellings.some((text) => pattern.test(text)))?.[0]
}
