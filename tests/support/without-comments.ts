const stringOrComment = /('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|\/\/[^\n]*|\/\*[\s\S]*?\*\//g

/** The source with its comments gone and its strings untouched, so that a mention in prose is not taken for code. */
export function withoutComments(source: string): string {
  return source.replace(stringOrComment, (_match, text: string | undefined) => text ?? ' ')
}
