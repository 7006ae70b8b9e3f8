// v1/words/wait-words.ts: why a queued recovery or notification has not started, as the end of a sentence.
import type { ActionEntry } from '../state.ts'

export type WaitReason = NonNullable<ActionEntry['waiting_for']>

export const waitWords: Readonly<Record<WaitReason, string>> = {
  cooldown: 'its cooldown is not over',
  budget: 'the recovery budget is used up for now',
  target_busy: 'another recovery of the same target comes first',
  held: 'a check must fail first, since Pulseward was started or interrupted',
  ancestor: 'a monitor that it depends on comes first',
  maintenance: 'maintenance is not over',
  pacing: 'another one is sent first',
  ailing_destination: 'its destination does not accept notifications now',
  retry: 'an attempt failed, and the next one is not due yet',
  paged_recently: 'the same person got a page of this policy less than a minute before',
  room: 'there is no room for it yet',
}
