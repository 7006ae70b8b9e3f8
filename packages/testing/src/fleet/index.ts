// Entry point for tests that load fleet files or need the definition of a fleet.
export {
  definitionOf,
  loadFleetFiles,
  type MonitorAsLoaded,
  mistakesIn,
  monitorsOf,
} from './fleet-files.ts'
