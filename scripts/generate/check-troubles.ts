// scripts/generate/check-troubles.ts: what a check says about each trouble, as a section of its page. The
// contract suite tests the same rows, so the page cannot promise a sentence that no check says.
import { isReported } from '@pulseward/server'
import { peersOf } from '@pulseward/testing/checks'
import type { Section } from './driver-doc.ts'
import { code, table } from './markdown.ts'

export async function troubleSections(name: string): Promise<Section[]> {
  // Nothing is run for it: the job itself says what is wrong.
  if (isReported(name)) return []
  const troubles = Object.values((await peersOf(name)).troubles).flat()
  if (troubles.length === 0) return []
  const rows = troubles.map(({ trouble, sentence }) => [trouble, code(sentence)])
  return [{ title: 'What it says', text: table(['Trouble', 'Reason'], rows) }]
}
