// api/v2/routes/control-routes.ts: the controls: what people request for an incident, a monitor or an action, and notes.
// Defines which body members each control needs and which it refuses; all mistakes are reported at once.
import {
  type ControlDesk,
  ControlError,
  type ControlWords,
  type MonitorRequest,
} from '../../../controls/control-desk.ts'
import { type ControlMember, controlMistakes } from '../../../controls/control-words.ts'
import { durationMs } from '../../../platform/duration.ts'
import type { ActionViews } from '../../../projection/v2/action-views.ts'
import type { IncidentViews } from '../../../projection/v2/incident-views.ts'
import { operationView } from '../../../projection/v2/operation-view.ts'
import { refusal, type V2FieldError, V2Problem } from '../../../requests/v2-problem.ts'
import type { StoredOperation } from '../../../store/resource.ts'
import type { Store } from '../../../store/store.ts'
import { type V2Route, type V2RouteAnswer, type V2RouteRequest, v2Route } from '../v2-route.ts'

export interface ControlRoutesOptions {
  readonly desk: ControlDesk
  readonly store: Pick<Store, 'readIncident' | 'readAction'>
  readonly incidents: IncidentViews
  readonly actions: ActionViews
}

type Asked = V2RouteRequest<'SnoozeMonitor'>

const incidentVerbs = {
  AcknowledgeIncident: 'acknowledge',
  DismissIncident: 'dismiss',
  ReopenIncident: 'reopen',
} as const

export function controlRoutes({ desk, store, incidents, actions }: ControlRoutesOptions): V2Route[] {
  const handle = async (verb: 'acknowledge' | 'dismiss' | 'reopen', asked: Asked): Promise<V2RouteAnswer> => {
    const { id } = asked.path
    const words = wordsOf(asked, verb === 'dismiss' ? ['reason'] : [], ['reason'])
    await carriedOut(desk.handle(verb, id, words, authorOf(asked)))
    return answerWith(id)
  }
  const answerWith = async (id: string): Promise<V2RouteAnswer> => {
    const incident = await store.readIncident(id)
    if (incident === null) throw new Error(`the incident ${id} was handled and is not kept`)
    const body = incidents.view(incident)
    return { body, version: body.revision }
  }
  const control = async (
    asked: Asked,
    words: ControlWords,
    request: MonitorRequest,
  ): Promise<V2RouteAnswer> =>
    done(asked, await carriedOut(desk.monitor(asked.path.id, request, words, authorOf(asked))))
  return [
    ...Object.entries(incidentVerbs).map(([name, verb]) =>
      v2Route(name as keyof typeof incidentVerbs, (asked) => handle(verb, asked)),
    ),
    v2Route('AddIncidentNote', async (asked) => {
      const { id } = asked.path
      await carriedOut(desk.note(id, noteIn(asked.body.text), authorOf(asked)))
      return answerWith(id)
    }),
    v2Route('SnoozeMonitor', (asked) => {
      const words = wordsOf(asked, ['reason', 'duration'], ['reason', 'duration'])
      return control(asked, words, { verb: 'snooze', forMs: durationMs(asked.body.duration ?? '') })
    }),
    v2Route('UnsnoozeMonitor', (asked) =>
      control(asked, wordsOf(asked, [], ['reason']), { verb: 'unsnooze' }),
    ),
    v2Route('RecoverMonitor', (asked) => {
      const words = wordsOf(asked, ['reason'], ['reason', 'incidentID'])
      return control(asked, words, { verb: 'recover', incidentId: asked.body.incidentID ?? null })
    }),
    v2Route('ReviewAction', async (asked) => {
      const { id } = asked.path
      const words = wordsOf(asked, ['reason', 'resolution'], ['reason', 'resolution', 'evidenceRefs'])
      const { resolution = 'inconclusive', evidenceRefs = [] } = asked.body
      await carriedOut(desk.review(id, { resolution, evidenceRefs }, words, authorOf(asked)))
      const action = await store.readAction(id)
      if (action === null) throw new Error(`the action ${id} was reviewed and is not kept`)
      const body = await actions.view(action)
      return { body, version: body.reviewRevision }
    }),
  ]
}

function authorOf({ principal, operation }: Pick<Asked, 'principal' | 'operation'>) {
  return { principal: principal.name, operation: operation.number }
}

function done({ operation }: Asked, stored: StoredOperation): V2RouteAnswer {
  return { body: operationView(operation.id, stored) }
}

/** What the body says, after checking that it has every needed member and none that would be ignored. */
function wordsOf(
  { body, version }: Asked,
  required: readonly ControlMember[],
  allowed: readonly ControlMember[],
): ControlWords {
  const errors = [
    ...(body.revision === version ? [] : [otherRevision]),
    ...controlMistakes(body, required, allowed),
  ]
  if (errors.length > 0) throw refusal('invalidResource', 'body', errors)
  const { revision, reason = null, note = null } = body
  return { revision, reason, note }
}

function noteIn(text: string): string {
  if (text.trim() !== '') return text
  throw refusal('invalidResource', 'body', [
    { field: '/text', reason: 'required', message: 'must not be blank' },
  ])
}

const otherRevision: V2FieldError = {
  field: '/revision',
  reason: 'notAllowed',
  message: 'must be the version of If-Match',
}

async function carriedOut(control: Promise<StoredOperation>): Promise<StoredOperation> {
  try {
    return await control
  } catch (error) {
    throw error instanceof ControlError ? problemOf(error) : error
  }
}

/** Clients conclude from a Retry-After that nothing was done. */
function problemOf({ code, message, retryAfterMs }: ControlError): V2Problem {
  if (code === 'uncertain') return new V2Problem('unavailable', message)
  const retryAfterSeconds = code === 'unavailable' ? 1 : Math.ceil((retryAfterMs ?? 0) / 1000)
  return new V2Problem(code, message, retryAfterSeconds > 0 ? { retryAfterSeconds } : {})
}
