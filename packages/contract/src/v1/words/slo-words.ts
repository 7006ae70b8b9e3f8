// v1/words/slo-words.ts: the punctuality of the checks of a kind, in words.
import type { SloReport } from '../slo.ts'

type Condition = SloReport['condition']

export const conditionWords: Readonly<Record<Condition, string>> = {
  insufficient_observations: 'Too few checks',
  healthy: 'On time',
  queue_delay: 'Starts late',
  result_delay: 'Results late',
  downstream_limited: 'Targets are slow',
  coverage_gap: 'Not watched all the time',
}

export const conditionMeanings: Readonly<Record<Condition, string>> = {
  insufficient_observations: 'Under 1,000 checks in the window: too few to tell good from bad.',
  healthy: 'At least 99 of 100 checks met both targets.',
  queue_delay: 'More than 1 of 100 checks did not start within the target.',
  result_delay: 'More than 1 of 100 checks had no result within the target.',
  downstream_limited: 'The targets themselves take longer than the target allows.',
  coverage_gap: 'The service did not watch during the whole window.',
}
