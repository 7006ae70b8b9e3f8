// scripts/generate/markdown.ts: the few Markdown elements that generated pages use.

/** The first line of every generated page. */
export function madeFrom(source: string): string {
  return `<!-- Made by \`npm run generate\` from ${source}. Do not edit. -->`
}

export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heads, heads.map(() => '---'), ...rows]
  return lines
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')
}

export function code(text: string): string {
  return `\`${text}\``
}

export function codes(texts: readonly string[]): string {
  return texts.map(code).join(', ')
}
