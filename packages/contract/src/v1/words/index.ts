// v1/words: the words of v1 as sentences, for people: the page and the command say the same. The terms of the wire
// stay what programs read.
export {
  type ActionKind,
  type ActionOutcome,
  type ActionState,
  type DescribedAction,
  describeAction,
  nameOfAction,
} from './action-words.ts'
export { describeBecause } from './because-words.ts'
export { durationWords } from './duration-words.ts'
export { describeEvent } from './event-words.ts'
export {
  elapsedMs,
  type IncidentStory,
  type StoryEvent,
  type StoryItem,
  type StorySectionName,
  type StoryStep,
  storyOf,
  storySections,
  storySummary,
} from './incident-story.ts'
export { pipelineWords } from './pipeline-words.ts'
export { readinessWords } from './readiness-words.ts'
export { conditionMeanings, conditionWords } from './slo-words.ts'
export { staleWords } from './stale-words.ts'
export { reasonSentence, statusMeanings } from './status-reason.ts'
export { type StoryFrame, storyAsMarkdown, storyFileName } from './story-markdown.ts'
export { type WaitReason, waitWords } from './wait-words.ts'
