// Entry point for tests of a whole edition: its routes behind a real listener, over an engine that the test drives.
export { type EditionWorld, type ServedEdition, type ServeOptions, serveEdition } from './served-edition.ts'
export { callOperation, type ServedNext, serveNext, type V2Call } from './served-next.ts'
export { markup, troubledFleet } from './troubled-fleet.ts'
export {
  documentOf,
  type Kind,
  kindOf,
  kinds,
  needExternalJobs,
  V2Calls,
  withExternalJobs,
} from './v2-calls.ts'
