// words/sizing-words.ts: where the recommended size of a pool comes from, in words.
import type { Pool } from '@pulseward/contract'

export const sizingWords: Readonly<Record<Pool['sizing_model'], string>> = {
  awaiting_observations: 'an assumed duration: nothing was observed yet',
  erlang_c_allen_cunneen: 'queueing theory (Erlang C with the Allen–Cunneen correction)',
  little_law_fallback: 'Little’s law: too few observations for more',
  slo_unattainable: 'the bounds: the target cannot be met within them',
}
