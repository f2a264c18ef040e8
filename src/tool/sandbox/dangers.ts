import { fetchedAsCommand, pipedIntoInterpreter } from './piped-into.ts'
import type { Span } from './shell-words.ts'
import {
  any,
  called,
  fits,
  has,
  inARow,
  type Is,
  later,
  named,
  program,
  type Rule,
  spanOf,
  withArguments,
} from './word-rules.ts'

/** The current folder, all of its files, the root, or a variable that may be empty. */
const WHOLE_TREE = fits(/^(?:.*=)?(?:[/~.*]|\.\.|\$\{?\w+\}?|\/workspace|\.git)\/?\*?$/)
const A_DEVICE = fits(/^\/dev\/(?!null|std|fd\/|tty|tcp\/|udp\/)/)
const git = named('git')
const writtenTo: Is = (word) => word.before.includes('>')
const kill = called('kill')
const everyProcess: Rule = (lines) =>
  lines.flatMap((line) => {
    /** `kill`, as long as only options follow */
    let killer: Span | undefined
    return line.flatMap((word) => {
      if (killer && /^-1\b/.test(word.text)) return [spanOf(killer, word)]
      if (kill(word)) killer = word
      else if (!/^-[\w-]+$/.test(word.text)) killer = undefined
      return []
    })
  })

/** Commands that a person must approve every time: why, and how to find them. */
export const DANGERS: readonly (readonly [why: string, find: Rule])[] = [
  ['deletes a lot', withArguments(called('rm'), fits(/-\w*[rR]|--recursive/), WHOLE_TREE)],
  [
    'deletes a lot',
    later(
      named('find'),
      any(has(fits(/^-delete\b/)), inARow(fits(/^-exec(?:dir)?$/), fits(/(?:^|\/)(?:rm|shred|unlink)\b/))),
    ),
  ],
  [
    'overwrites a disk',
    any(
      withArguments(named('dd'), fits(/\bof=/)),
      has(named('mkfs')),
      has(fits(/\b(?:wipefs|fdisk|sfdisk|parted|blkdiscard)/)),
      has((word) => writtenTo(word) && A_DEVICE(word)),
    ),
  ],
  [
    'destroys files',
    any(
      has(named('shred')),
      inARow(called('truncate'), fits(/^(?:-s|--size)=?0\b/)),
      inARow(called('truncate'), fits(/^(?:-s|--size)$/), fits(/^0\b/)),
    ),
  ],
  ['runs what it fetches', any(pipedIntoInterpreter(named('curl', 'wget', 'fetch', 'nc', 'ncat')), fetchedAsCommand)],
  [
    'runs what it hides',
    any(
      pipedIntoInterpreter(called('base64'), fits(/^(?:-d|-D|--decode)\b/)),
      pipedIntoInterpreter(called('xxd'), fits(/^-\w*r\b/)),
      pipedIntoInterpreter(called('openssl'), fits(/^enc\b/)),
    ),
  ],
  [
    'opens files to everybody',
    withArguments(named('chmod'), fits(/\b[0-7]?777\b|\b[2467][0-7]{3}\b|\+[rwx]*s|[ao]\+\w*w/)),
  ],
  ['changes whole trees', withArguments(called('chmod', 'chown', 'chgrp'), fits(/^-\w*R|--recursive/))],
  [
    'rewrites the history of git',
    later(
      git,
      any(
        withArguments(named('push'), fits(/^(?:-\w*f|--force|--mirror|--delete|-d|\+.)/)),
        has(fits(/\bfilter-(?:branch|repo)/)),
        inARow(called('reflog'), fits(/^expire/)),
      ),
    ),
  ],
  [
    'throws work away',
    later(
      git,
      any(
        inARow(called('reset'), fits(/^--hard/)),
        inARow(called('clean'), fits(/^-\w*[fdx]/)),
        inARow(called('checkout'), fits(/^(?:-f|--force|\.)/)),
        inARow(called('checkout'), fits(/^--$/), fits(/^\./)),
        inARow(called('branch'), fits(/^-D/)),
        inARow(called('stash'), fits(/^(?:drop|clear)/)),
      ),
    ),
  ],
  [
    'stops the machine',
    any(
      has(named('shutdown', 'reboot', 'halt', 'poweroff', 'telinit')),
      inARow(called('init'), fits(/^[06]\b/)),
      inARow(called('systemctl'), fits(/^(?:poweroff|reboot|halt|stop|kill)\b/)),
    ),
  ],
  ['kills processes', any(has(named('killall', 'pkill')), everyProcess)],
  ['wants other rights', has(program('sudo', 'su', 'doas', 'pkexec', 'setpriv', 'runuser'))],
  [
    'tampers with the sandbox',
    has(
      program(...'unshare nsenter chroot pivot_root mount umount bwrap docker podman mknod insmod modprobe'.split(' ')),
    ),
  ],
  [
    'hides its traces',
    any(
      inARow(called('history'), fits(/^-\w*[cdw]/)),
      has(named('HISTFILE')),
      inARow(called('unset'), fits(/^HIST/)),
      inARow(called('set'), fits(/^\+o$/), fits(/^history/)),
      withArguments(named('shopt'), fits(/\bhist/)),
    ),
  ],
  [
    'changes how programs start',
    any(
      has(
        fits(
          /\b(?:LD_PRELOAD|LD_LIBRARY_PATH|BASH_ENV|PROMPT_COMMAND|NODE_OPTIONS|PYTHONSTARTUP|GIT_SSH_COMMAND|PERL5OPT)=/,
        ),
      ),
      inARow(called('export'), fits(/^PATH=/)),
    ),
  ],
  [
    'stays behind',
    any(
      has(fits(/\.(?:bashrc|bash_profile|profile|zshrc|ssh\/|git\/hooks|git\/config|gitconfig|npmrc|netrc)/)),
      has(named('crontab')),
      inARow(called('at'), fits(/^now\b/)),
      later(called('git'), withArguments(named('config'), fits(/hooksPath|alias|fsmonitor|sshCommand|pager|editor/))),
    ),
  ],
  [
    'sends data out',
    any(
      has(fits(/\/dev\/(?:tcp|udp)\//)),
      withArguments(named('scp', 'sftp', 'rsync'), fits(/:/)),
      has(called('nc', 'ncat', 'socat', 'telnet')),
    ),
  ],
]
