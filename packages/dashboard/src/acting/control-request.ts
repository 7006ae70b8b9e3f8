// acting/control-request.ts: turns the input of the dialog into one v2 request for the revision that the dialog read.
import { v2 } from '@pulseward/contract'
import type { V2Write } from '../data/v2-request.ts'
import type { Asked } from './ask.ts'
import { type ChosenLength, durationText, snoozeMs } from './snooze-length.ts'
import { actionPath, incidentPath, monitorPath, type Subject } from './subject.ts'
import { type Resolution, verbWords } from './verb-words.ts'

/** The content of the dialog's fields. */
export interface Said {
  readonly reason: string
  readonly length: ChosenLength
  readonly isConfirmed: boolean
  readonly resolution: Resolution | null
  /** One reference per line. */
  readonly evidence: string
}

export const nothingSaid: Said = {
  reason: '',
  length: { choice: '1h', amount: '2', unit: 'h' },
  isConfirmed: false,
  resolution: null,
  evidence: '',
}

export type SaidField = keyof Said

export interface Mistake {
  readonly field: SaidField
  readonly sentence: string
}

/** The first mistake to correct before it can be sent; null if there is none. */
export function mistakeIn({ verb }: Pick<Asked, 'verb'>, said: Said, serviceNowMs: number): Mistake | null {
  const mistake = (field: SaidField, sentence: string): Mistake => ({ field, sentence })
  if (verb === 'snooze' && snoozeMs(said.length, serviceNowMs) === null)
    return mistake('length', `Enter a whole number, at most ${v2.limits.snoozeHours / 24} days in total.`)
  if (verb === 'review' && said.resolution === null) return mistake('resolution', 'Choose what you found.')
  if (verbWords[verb].reason === 'required' && said.reason.trim() === '')
    return mistake('reason', 'Give a reason: others read it in the history.')
  if (bytesOf(said.reason) > v2.limits.controlTextBytes)
    return mistake('reason', 'This is too long: at most 4,096 bytes.')
  const references = evidenceIn(said)
  if (references.length > v2.limits.evidenceEntries)
    return mistake('evidence', `At most ${v2.limits.evidenceEntries} references, one per line.`)
  if (references.some((one) => bytesOf(one) > v2.limits.evidenceEntryBytes))
    return mistake('evidence', 'One of the references is too long: at most 4,096 bytes each.')
  if (verb === 'recover' && !said.isConfirmed) return mistake('isConfirmed', 'Confirm it first.')
  return null
}

export function requestOf(
  { verb, monitorId }: Asked,
  { incident, action }: Pick<Subject, 'incident' | 'action'>,
  revision: string,
  said: Said,
  serviceNowMs: number,
): V2Write {
  if (verb === 'enable' || verb === 'disable')
    return {
      method: 'PATCH',
      path: monitorPath(monitorId),
      body: { spec: { enabled: verb === 'enable' } },
      mediaType: v2.mergePatchMediaType,
      ifMatch: revision,
    }
  const reason = said.reason.trim()
  const base = { revision, ...(reason === '' ? {} : { reason }) }
  const post = (path: string, more: Partial<v2.ControlRequest> = {}): V2Write => ({
    method: 'POST',
    path: `${path}/${verb}`,
    body: { ...base, ...more },
    ifMatch: revision,
  })
  if (verb === 'review') {
    const evidenceRefs = evidenceIn(said)
    const more = evidenceRefs.length === 0 ? {} : { evidenceRefs: [...evidenceRefs] }
    return post(actionPath(action?.id ?? ''), { resolution: said.resolution ?? 'inconclusive', ...more })
  }
  if (verb === 'snooze') {
    const duration = durationText(snoozeMs(said.length, serviceNowMs) ?? 0)
    return post(monitorPath(monitorId), { duration })
  }
  if (verb === 'unsnooze' || verb === 'recover') return post(monitorPath(monitorId))
  return post(incidentPath(incident?.id ?? ''))
}

function evidenceIn({ evidence }: Said): readonly string[] {
  return evidence
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}
