/**
 * Code, documentation and encyclopedias, which are read without asking. Only sites that do not show authors the requests
 * for their pages, because a model could otherwise send them something in a path.
 */
export const KNOWN_HOSTS: readonly string[] = `
  github.com raw.githubusercontent.com docs.github.com gitlab.com docs.gitlab.com
  registry.npmjs.org www.npmjs.com pypi.org docs.rs crates.io static.crates.io pkg.go.dev rubygems.org packagist.org
  developer.mozilla.org nodejs.org www.typescriptlang.org docs.python.org peps.python.org doc.rust-lang.org go.dev
  docs.oracle.com learn.microsoft.com en.cppreference.com www.php.net docs.ruby-lang.org kotlinlang.org docs.swift.org
  react.dev vuejs.org angular.dev svelte.dev vite.dev docs.djangoproject.com
  www.postgresql.org www.sqlite.org sqlite.org dev.mysql.com redis.io www.mongodb.com
  kubernetes.io docs.docker.com docs.aws.amazon.com cloud.google.com developers.google.com docs.kernel.org man7.org
  www.gnu.org git-scm.com modelcontextprotocol.io docs.n8n.io docs.temporal.io
  stackoverflow.com *.stackexchange.com
  www.rfc-editor.org datatracker.ietf.org www.w3.org *.spec.whatwg.org www.iana.org tc39.es unicode.org
  *.wikipedia.org *.wiktionary.org www.wikidata.org www.britannica.com plato.stanford.edu arxiv.org`
  .trim()
  .split(/\s+/)

/** Usual names below `*.`, which cannot be made up to send the host something. */
const LISTED_LABELS: ReadonlySet<string> = new Set(
  `
  www docs doc api developer developers dev help support wiki blog learn guide guides reference static cdn assets
  af ar az be bg bn bs ca ceb cs cy da de el en eo es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka kk kn ko ky la lb
  lt lv mk ml mn mr ms my ne nl nn no pa pl pt ro ru rw sh si simple sk sl sq sr sv sw ta te th tl tr uk ur uz vi yo zh zu
  ai android apple askubuntu astronomy bioinformatics biology chemistry codegolf codereview cooking cs cstheory
  datascience dba devops diy drupal economics electronics ell emacs engineering english gamedev gaming gardening gis
  history hsm law linguistics magento math matheducators mathematica meta money movies music networkengineering
  opendata opensource outdoors parenting pets philosophy photo physics politics pm psychology quant
  quantumcomputing raspberrypi retrocomputing reverseengineering rpg salesforce scicomp scifi security sharepoint skeptics
  softwareengineering softwarerecs space sqa stats tex travel unix ux vi webapps webmasters wordpress workplace worldbuilding writing
  compat compression console cookiestore dom encoding fetch fs fullscreen html idea infra mimesniff notifications quirks
  storage streams testutils url urlpattern webidl websockets xhr`
    .trim()
    .split(/\s+/),
)

/** Whether a URL is of a known host, over https on the usual port; `*.host` is every name below that host. */
export function isKnownHost(url: URL, hosts: readonly string[]): boolean {
  return (
    isUsual(url) && hosts.some((host) => (isWild(host) ? url.hostname.endsWith(host.slice(1)) : url.hostname === host))
  )
}

/** The same, but `*.host` is only the listed names below that host, because any other could be a message to it. */
export function isListedHost(url: URL, hosts: readonly string[]): boolean {
  const [label = '', ...above] = url.hostname.split('.')
  const below = LISTED_LABELS.has(label) ? `*.${above.join('.')}` : undefined
  return isUsual(url) && hosts.some((host) => host === (isWild(host) ? below : url.hostname))
}

const isWild = (host: string): boolean => host.startsWith('*.')

function isUsual({ protocol, port, username, password }: URL): boolean {
  return protocol === 'https:' && port === '' && username === '' && password === ''
}
