// v1/words/pipeline-words.ts: the three pipelines, named by what goes through them.
import type { Pipeline } from '../values.ts'

export const pipelineWords: Readonly<Record<Pipeline, string>> = {
  pulse: 'Checks',
  intervention: 'Recoveries',
  code: 'Notifications',
}
