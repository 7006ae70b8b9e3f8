// scripts/docs/decision-list.ts: the page that lists the decisions. The repository has a folder of them and
// no list, so that adding one changes one file.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

export const decisionList = 'docs/decisions/index.md'

/** The document, made from the titles of the decisions. */
export function decisionListSource(root: string, documents: Iterable<string>): string {
  const decisions = [...documents].filter((one) => /^docs\/decisions\/\d+/.test(one)).sort()
  const lines = decisions.map((document) => {
    const title = /^# (.+)$/m.exec(readFileSync(join(root, document), 'utf8'))?.[1] ?? basename(document)
    return `- [${title}](${basename(document)})`
  })
  return `# Decisions\n\nThe larger choices, and the reasons for them.\n\n${lines.join('\n')}\n`
}
