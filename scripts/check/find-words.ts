// scripts/check/find-words.ts: where patterns occur in a text, at most once per line each.
export function findWords(text: string, patterns: readonly RegExp[]): { line: number; text: string }[] {
  return text.split('\n').flatMap((content, index) =>
    patterns.flatMap((pattern) => {
      const found = pattern.exec(content)?.[0]
      return found === undefined ? [] : [{ line: index + 1, text: found }]
    }),
  )
}
