/**
 * Code, documentation and encyclopedias: reading them needs nobody's permission. Only sites whose visitors are not shown
 * to those who write the pages: in a path of its own page an author could otherwise be told something by a model.
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

/** Over https, on the port everybody uses. `*.host` stands for every name below that host. */
export function isKnownHost(url: URL, hosts: readonly string[]): boolean {
  if (url.protocol !== 'https:' || url.port !== '' || url.username !== '' || url.password !== '') return false
  return hosts.some((host) => (host.startsWith('*.') ? url.hostname.endsWith(host.slice(1)) : url.hostname === host))
}
