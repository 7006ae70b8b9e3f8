// client/apply/resume.ts: resumes an operation where the service says it stopped. Requires the files that it
// was created for: an uploaded item cannot be changed.
import { UsageError } from '@pulseward/server'
import type { Session } from '../session.ts'
import type { Collection } from './collection.ts'
import { type Staged, stageRest } from './stage.ts'

export async function resume(session: Session, collection: Collection, id: string): Promise<Staged> {
  const { data } = await session.client.getOperation({ id, limit: 1 }, { signal: session.signal })
  const { state, contentDigest, itemCount, uploaded = 0 } = data
  if (contentDigest === undefined)
    throw new UsageError(`Operation ${id} was not created from files, so it cannot be resumed.`)
  if (contentDigest !== collection.contentDigest || itemCount !== collection.itemCount)
    throw new UsageError(
      `The files are not those of operation ${id}: an item cannot be changed once it is uploaded. Nothing was sent; apply the files without --resume, and cancel the other one with pulseward delete operation ${id}.`,
    )
  if (state === 'cancelled')
    throw new UsageError(`Operation ${id} was cancelled; apply the files without --resume.`)
  // If validation or activation was requested before, repeating it returns what is known.
  return stageRest(session, collection, { id, uploaded: state === 'staging' ? uploaded : null })
}
