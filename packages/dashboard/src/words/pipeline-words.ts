import type { Pipeline } from '@pulseward/contract'

/** The three pipelines, named by what goes through them. */
export const pipelineWords: Readonly<Record<Pipeline, string>> = {
  pulse: 'Checks',
  intervention: 'Recoveries',
  code: 'Notifications',
}
